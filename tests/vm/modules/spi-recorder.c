// SPDX-License-Identifier: GPL-2.0
/*
 * An SPI bus with one device that notes down what is written to it, and whether the line DC said data or command.
 *
 * /dev/spidev0.0                   the device
 * debugfs spi-recorder/log         every transfer since it was last emptied, as a 16-bit little-endian length, a byte with the level
 *                                  of DC and the bytes; writing anything empties it
 * parameters:
 *   chip     the label of the GPIO chip that has DC
 *   dc       its line there
 */
#include <linux/debugfs.h>
#include <linux/gpio/consumer.h>
#include <linux/gpio/driver.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/spi/spi.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#define LOG_BYTES (4 << 20)

static char *chip = "pinctrl-bcm2711";
module_param(chip, charp, 0444);
static int dc = 24;
module_param(dc, int, 0444);

static DEFINE_MUTEX(lock);
static u8 *notes;
static size_t noted;
static struct dentry *folder;
static struct platform_device *parent;
static struct spi_controller *controller;

static u8 level(void)
{
	struct gpio_device *device = gpio_device_find_by_label(chip);
	struct gpio_desc *line;
	int value = -1;

	if (!device)
		return 0xff;
	line = gpio_device_get_desc(device, dc);
	if (!IS_ERR(line))
		value = gpiod_get_raw_value_cansleep(line);
	gpio_device_put(device);
	return value < 0 ? 0xff : value;
}

static void note(const struct spi_transfer *transfer, u8 data)
{
	mutex_lock(&lock);
	if (noted + transfer->len + 3 <= LOG_BYTES) {
		notes[noted++] = transfer->len & 0xff;
		notes[noted++] = transfer->len >> 8;
		notes[noted++] = data;
		memcpy(notes + noted, transfer->tx_buf, transfer->len);
		noted += transfer->len;
	}
	mutex_unlock(&lock);
}

static int recorder_message(struct spi_controller *host, struct spi_message *message)
{
	struct spi_transfer *transfer;

	list_for_each_entry(transfer, &message->transfers, transfer_list) {
		if (transfer->tx_buf)
			note(transfer, level());
		if (transfer->rx_buf)
			memset(transfer->rx_buf, 0, transfer->len);
		message->actual_length += transfer->len;
	}
	message->status = 0;
	spi_finalize_current_message(host);
	return 0;
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

static struct spi_board_info display = {
	.modalias = "dh2228fv", /* spidev takes only names it knows; this is the usual one for "anything" */
	.max_speed_hz = 10000000,
};

static int __init recorder_init(void)
{
	int error;

	notes = vmalloc(LOG_BYTES);
	if (!notes)
		return -ENOMEM;
	parent = platform_device_register_simple("spi-recorder", PLATFORM_DEVID_NONE, NULL, 0);
	if (IS_ERR(parent)) {
		error = PTR_ERR(parent);
		goto free;
	}
	controller = spi_alloc_host(&parent->dev, 0);
	if (!controller) {
		error = -ENOMEM;
		goto remove;
	}
	controller->bus_num = 0;
	controller->num_chipselect = 1;
	controller->mode_bits = SPI_CPOL | SPI_CPHA | SPI_CS_HIGH;
	controller->transfer_one_message = recorder_message;
	error = spi_register_controller(controller);
	if (error) {
		spi_controller_put(controller);
		goto remove;
	}
	if (!spi_new_device(controller, &display)) {
		spi_unregister_controller(controller);
		error = -ENODEV;
		goto remove;
	}
	folder = debugfs_create_dir("spi-recorder", NULL);
	debugfs_create_file("log", 0600, folder, NULL, &log_operations);
	return 0;
remove:
	platform_device_unregister(parent);
free:
	vfree(notes);
	return error;
}

static void __exit recorder_exit(void)
{
	debugfs_remove_recursive(folder);
	spi_unregister_controller(controller);
	platform_device_unregister(parent);
	vfree(notes);
}

module_init(recorder_init);
module_exit(recorder_exit);
MODULE_DESCRIPTION("SPI bus for tests that notes down what is written");
MODULE_LICENSE("GPL");
