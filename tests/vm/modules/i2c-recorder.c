// SPDX-License-Identifier: GPL-2.0
/*
 * An I2C bus with one device that notes down what is written to it.
 *
 * /dev/i2c-1                       the bus: plain I2C and SMBus, as the Pi's
 * debugfs i2c-recorder/log         every message, see recorder.h
 * parameters, all changeable while it runs:
 *   addr     the 7-bit address that answers
 *   present  0: unplugged, nothing answers
 *   khz      the bus's speed: a transfer takes as long as it would on the wire; 0: no time
 *   fail     the errno of the next failn transfers
 *   failn    how many
 */
#include <linux/delay.h>
#include <linux/i2c.h>

#include "recorder.h"

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
			note(NULL, msgs[i].buf, msgs[i].len);
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

static int __init i2c_recorder_init(void)
{
	int error = recorder_open("i2c-recorder");

	if (error)
		return error;
	adapter.nr = nr;
	error = i2c_add_numbered_adapter(&adapter);
	if (error)
		recorder_close();
	return error;
}

static void __exit i2c_recorder_exit(void)
{
	i2c_del_adapter(&adapter);
	recorder_close();
}

module_init(i2c_recorder_init);
module_exit(i2c_recorder_exit);
MODULE_DESCRIPTION("I2C bus for tests that notes down what is written");
MODULE_LICENSE("GPL");
