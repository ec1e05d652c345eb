// SPDX-License-Identifier: GPL-2.0-or-later
/* memmapctl: find the subcommand, run it. */
#include <errno.h>
#include <numa.h>
#include <stdarg.h>
#include <string.h>

#include "base/util.h"
#include "cli/command.h"
#include "cli/measure_guest.h"

static const struct command *const commands[] = {
	&cmd_probe,   &cmd_snapshot,  &cmd_check,    &cmd_predict, &cmd_advise,
	&cmd_measure, &cmd_calibrate, &cmd_validate, &cmd_compare, NULL,
};

const char *argp_program_version = "memmapctl " MEMMAPCTL_VERSION;

/* libnuma prints and exits from inside unless these are replaced; its callers here check results themselves. */
void numa_error(char *where)
{
	(void)where;
}

void numa_warn(int number, char *where, ...)
{
	(void)number;
	(void)where;
}

static void print_help(FILE *out)
{
	fputs("Usage: memmapctl COMMAND [OPTION...]\n"
	      "How long the kernel spends building its memory map, how much memory the map eats, and what\n"
	      "would change that: predicted from a host description, measured here or in a guest.\n\n"
	      "Commands:\n",
	      out);
	for (size_t i = 0; commands[i]; i++)
		fprintf(out, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
	fputs("\nmemmapctl COMMAND --help tells a command's options, with an example.\n\n"
	      "Exit status: 0 done, and every window fits; 1 a window does not fit; 2 usage or bad input;\n"
	      "3 not possible here; 4 a measurement failed.\n",
	      out);
}

static const struct command *find_command(const char *name)
{
	for (size_t i = 0; commands[i]; i++) {
		if (!strcmp(commands[i]->name, name))
			return commands[i];
	}
	return NULL;
}

static int unknown_command(const char *name)
{
	const char *names[ARRAY_SIZE(commands)];
	const char *near;

	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		names[i] = commands[i] ? commands[i]->name : NULL;
	near = suggest(name, names);
	fprintf(stderr, "memmapctl: unknown command \"%s\"", name);
	if (near)
		fprintf(stderr, "; did you mean \"%s\"?", near);
	fputs("\nTry 'memmapctl --help'.\n", stderr);
	return EXIT_USAGE;
}

/* args[0] is replaced: messages and usage call a command "memmapctl NAME". */
static int run_command(const struct command *command, int nr_args, char **args)
{
	char name[64];

	snprintf(name, sizeof(name), "memmapctl %s", command->name);
	args[0] = name;
	return command->run(nr_args, args);
}

/* `memmapctl help [COMMAND]` */
static int run_help(int argc, char **argv)
{
	const struct command *command;
	char help[] = "--help";

	if (argc < 2) {
		print_help(stdout);
		return EXIT_DONE;
	}
	command = find_command(argv[1]);
	if (!command)
		return unknown_command(argv[1]);
	return run_command(command, 2, (char *[]){argv[0], help, NULL});
}

/* A full disk shows when the buffer is flushed: without this check half an answer looks like all of it. */
static int close_stdout(int status)
{
	int err = flush_file(stdout);

	if (!err || err == EPIPE)
		return status;
	fprintf(stderr, "memmapctl: cannot write: %s\n", strerror(err));
	return MAX(status, (int)EXIT_USAGE);
}

int main(int argc, char **argv)
{
	const struct command *command;

	measure_guest_init();
	argp_err_exit_status = EXIT_USAGE;
	if (argc < 2) {
		print_help(stderr);
		return EXIT_USAGE;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "-?")) {
		print_help(stdout);
		return close_stdout(EXIT_DONE);
	}
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
		puts(argp_program_version);
		return close_stdout(EXIT_DONE);
	}
	if (!strcmp(argv[1], "help"))
		return close_stdout(run_help(argc - 1, argv + 1));
	command = find_command(argv[1]);
	if (!command)
		return unknown_command(argv[1]);
	return close_stdout(run_command(command, argc - 1, argv + 1));
}
