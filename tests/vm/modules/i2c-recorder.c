// SPDX-License-Identifier: GPL-2.0
/*
 * An I2C bus with one device that notes down what is written to it.
 *
 * /dev/i2c-1                       the bus: plain I2C and SMBus, as the Pi's
 * debugfs i2c-recorder/log         every message since it was last emptied, as a 16-bit little-endian length and the bytes;
 *                                  writing anything empties it
 * parameters, all changeable while it runs:
 *   addr     the 7-bit address that answers
 *   present  0: unplugged, nothing answers
 *   khz      the bus's speed: a transfer takes as long as it would on the wire; 0: no time
 *   fail     the errno of the next failn transfers
 *   failn    how many
 */
#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/i2c.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#define LOG_BYTES (4 << 20)

static int nr = 1;
module_param(nr, int, 0444);
static int addr = 0x3c;
module_param(addr, int, 0644);
static int present = 1;
module_param(present, int, 0644);
static int khz;
module_param(khz, int, 0644);
static int fail = EREMOTEIO;
module_param(fail, int, 0644);
static int failn;
module_param(failn, int, 0644);

static DEFINE_MUTEX(lock);
static u8 *notes;
static size_t noted;
static struct dentry *folder;

static void note(const struct i2c_msg *msg)
{
	mutex_lock(&lock);
	if (noted + msg->len + 2 <= LOG_BYTES) {
		notes[noted++] = msg->len & 0xff;
		notes[noted++] = msg->len >> 8;
		memcpy(notes + noted, msg->buf, msg->len);
		noted += msg->len;
	}
	mutex_unlock(&lock);
}

static int recorder_xfer(struct i2c_adapter *adapter, struct i2c_msg *msgs, int num)
{
	unsigned long us = 0;
	int i;

	for (i = 0; i < num; i++) {
		if (msgs[i].addr != addr || !present)
			return -EREMOTEIO; /* the Pi's driver's word for "no acknowledge" */
		if (failn > 0) {
			failn--;
			return -fail;
		}
		if (khz > 0) /* address and bytes with their acknowledges, start and stop */
			us += ((msgs[i].len + 1) * 9 + 2) * 1000UL / khz;
		if (msgs[i].flags & I2C_M_RD)
			memset(msgs[i].buf, 0x43, msgs[i].len);
		else
			note(&msgs[i]);
	}
	if (us)
		fsleep(us);
	return num;
}

static u32 recorder_functionality(struct i2c_adapter *adapter)
{
	return I2C_FUNC_I2C | I2C_FUNC_SMBUS_EMUL;
}

static const struct i2c_algorithm algorithm = {
	.master_xfer = recorder_xfer,
	.functionality = recorder_functionality,
};

static struct i2c_adapter adapter = {
	.owner = THIS_MODULE,
	.algo = &algorithm,
	.name = "recording test bus",
};

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
	mutex_lock(&lock);
	noted = 0;
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

static int __init recorder_init(void)
{
	int error;

	notes = vmalloc(LOG_BYTES);
	if (!notes)
		return -ENOMEM;
	adapter.nr = nr;
	error = i2c_add_numbered_adapter(&adapter);
	if (error) {
		vfree(notes);
		return error;
	}
	folder = debugfs_create_dir("i2c-recorder", NULL);
	debugfs_create_file("log", 0600, folder, NULL, &log_operations);
	return 0;
}

static void __exit recorder_exit(void)
{
	debugfs_remove_recursive(folder);
	i2c_del_adapter(&adapter);
	vfree(notes);
}

module_init(recorder_init);
module_exit(recorder_exit);
MODULE_DESCRIPTION("I2C bus for tests that notes down what is written");
MODULE_LICENSE("GPL");
