// SPDX-License-Identifier: GPL-2.0
/*
 * An SPI bus with one device that notes down what is written to it, and whether the line DC said data or command.
 *
 * /dev/spidev0.0                   the device
 * debugfs spi-recorder/log         every transfer, a byte with the level of DC before its bytes; see recorder.h
 * parameters:
 *   chip     the label of the GPIO chip that has DC
 *   dc       its line there
 */
#include <linux/gpio/consumer.h>
#include <linux/gpio/driver.h>
#include <linux/platform_device.h>
#include <linux/spi/spi.h>

#include "recorder.h"

static char *chip = "pinctrl-bcm2711";
module_param(chip, charp, 0444);
static int dc = 24;
module_param(dc, int, 0444);

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

static int recorder_message(struct spi_controller *host, struct spi_message *message)
{
	struct spi_transfer *transfer;
	u8 data;

	list_for_each_entry(transfer, &message->transfers, transfer_list) {
		if (transfer->tx_buf) {
			data = level();
			note(&data, transfer->tx_buf, transfer->len);
		}
		if (transfer->rx_buf)
			memset(transfer->rx_buf, 0, transfer->len);
		message->actual_length += transfer->len;
	}
	message->status = 0;
	spi_finalize_current_message(host);
	return 0;
}

static struct spi_board_info display = {
	.modalias = "dh2228fv", /* spidev takes only names it knows; this is the usual one for "anything" */
	.max_speed_hz = 10000000,
};

static int __init spi_recorder_init(void)
{
	int error = recorder_open("spi-recorder");

	if (error)
		return error;
	parent = platform_device_register_simple("spi-recorder", PLATFORM_DEVID_NONE, NULL, 0);
	if (IS_ERR(parent)) {
		error = PTR_ERR(parent);
		goto close;
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
	if (spi_new_device(controller, &display))
		return 0;
	spi_unregister_controller(controller);
	error = -ENODEV;
remove:
	platform_device_unregister(parent);
close:
	recorder_close();
	return error;
}

static void __exit spi_recorder_exit(void)
{
	spi_unregister_controller(controller);
	platform_device_unregister(parent);
	recorder_close();
}

module_init(spi_recorder_init);
module_exit(spi_recorder_exit);
MODULE_DESCRIPTION("SPI bus for tests that notes down what is written");
MODULE_LICENSE("GPL");
