/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a recording bus notes down, to be read as debugfs NAME/log: every entry, as a 16-bit little-endian length
 * and so many bytes. Writing a number to the file forgets so many bytes from its beginning.
 */
#include <linux/debugfs.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#define LOG_BYTES (4 << 20)

static DEFINE_MUTEX(lock);
static u8 *notes;
static size_t noted;
static struct dentry *folder;

/* An entry: a head (NULL: none) and the bytes that were on the wire. What finds no room any more is not noted. */
static void note(const u8 *head, const void *bytes, size_t count)
{
	size_t length = count + (head ? 1 : 0);

	mutex_lock(&lock);
	if (noted + length + 2 <= LOG_BYTES) {
		notes[noted++] = length & 0xff;
		notes[noted++] = length >> 8;
		if (head)
			notes[noted++] = *head;
		memcpy(notes + noted, bytes, count);
		noted += count;
	}
	mutex_unlock(&lock);
}

static ssize_t log_read(struct file *file, char __user *to, size_t count, loff_t *pos)
{
	ssize_t read;

	mutex_lock(&lock);
	read = simple_read_from_buffer(to, count, pos, notes, noted);
	mutex_unlock(&lock);
	return read;
}

static ssize_t log_write(struct file *file, const char __user *from, size_t count, loff_t *pos)
{
	unsigned long gone;
	int error = kstrtoul_from_user(from, count, 10, &gone);

	if (error)
		return error;
	mutex_lock(&lock);
	gone = min(gone, noted);
	noted -= gone;
	memmove(notes, notes + gone, noted);
	mutex_unlock(&lock);
	return count;
}

static const struct file_operations log_operations = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.read = log_read,
	.write = log_write,
	.llseek = default_llseek,
};

/* To be called before anything can be noted. */
static int recorder_open(const char *name)
{
	notes = vmalloc(LOG_BYTES);
	if (!notes)
		return -ENOMEM;
	folder = debugfs_create_dir(name, NULL);
	debugfs_create_file("log", 0600, folder, NULL, &log_operations);
	return 0;
}

/* To be called when nothing is noted any more. */
static void recorder_close(void)
{
	debugfs_remove_recursive(folder);
	vfree(notes);
}
