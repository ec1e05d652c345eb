// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/guest_run.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include "base/units.h"
#include "base/util.h"
#include "measure/guest_console.h"
#include "measure/guest_frame.h"

enum { TAIL_LINES = 25 };

/* A kernel that panics before it has read its command line stays where it is: it is not waited for longer than this. */
static const uint64_t panic_silence_ns = 2 * NS_PER_S;

struct session {
	const struct guest_run *run;
	struct diags *diags;
	struct guest_result *result;
	struct guest_console console;
	struct guest_frames frames;
	pid_t qemu;
	int console_fd;
	uint64_t start_ns, heard_ns;
	bool done, channel_open;
};

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * NS_PER_S + (uint64_t)ts.tv_nsec;
}

/* In the child: become QEMU, or say through the status pipe why not. */
static void become_qemu(const struct guest_run *run, pid_t parent, int console, int status)
{
	int null = open("/dev/null", O_RDONLY);
	int err;

	setpgid(0, 0); /* the terminal's Ctrl-C is for memmapctl, which ends QEMU itself */
	/* The kernel ends QEMU when this process dies, however it dies; a death before this call shows in the parent. */
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) || getppid() != parent)
		_exit(1);
	if (null >= 0 && dup2(null, 0) >= 0 && dup2(console, 1) >= 0 && dup2(console, 2) >= 0 &&
	    !fcntl(run->initramfs_fd, F_SETFD, 0) && !fcntl(run->qemu_channel_fd, F_SETFD, 0))
		execvp(run->argv[0], run->argv);
	err = errno;
	if (write(status, &err, sizeof(err)) < 0)
		_exit(2);
	_exit(1);
}

static int start_qemu(struct session *s)
{
	int console[2] = {-1, -1}, status[2] = {-1, -1};
	pid_t parent = getpid();
	int err = 0;

	if (pipe2(console, O_CLOEXEC) || pipe2(status, O_CLOEXEC)) {
		err = errno;
	} else {
		s->qemu = fork();
		if (s->qemu < 0)
			err = errno;
		else if (!s->qemu)
			become_qemu(s->run, parent, console[1], status[1]);
	}
	close_fd(&console[1]);
	close_fd(&status[1]);
	/* The pipe closes when QEMU's program takes over; else the reason comes through it. */
	if (!err && read(status[0], &err, sizeof(err)) < (ssize_t)sizeof(err))
		err = 0;
	close_fd(&status[0]);
	close(s->run->qemu_channel_fd); /* the channel ends when QEMU does */
	s->console_fd = console[0];
	return -err;
}

static void reap(struct session *s)
{
	struct rusage usage = {0};

	if (s->qemu <= 0)
		return;
	kill(-s->qemu, SIGKILL);
	kill(s->qemu, SIGKILL); /* before it has made its group */
	while (wait4(s->qemu, NULL, 0, &usage) < 0 && errno == EINTR)
		;
	s->result->max_rss_bytes = (uint64_t)usage.ru_maxrss * KIB;
	s->qemu = 0;
}

static int take_message(struct session *s, enum guest_message type, char *text)
{
	switch (type) {
	case GUEST_HELLO:
		s->result->hello_ns = now_ns() - s->start_ns;
		s->done |= s->run->only_hello;
		return 0;
	case GUEST_PROGRESS:
		if (s->run->progress)
			s->run->progress(s->run->ctx, text);
		return 0;
	case GUEST_NOTE:
		diag_add(s->diags, DIAG_NOTE, NULL, 0, 0, "in the guest: %s", text);
		return 0;
	case GUEST_ERROR:
		return diag_error(s->diags, -EIO, "in the guest: %s", text);
	case GUEST_OBSERVATIONS:
		free(s->result->observations);
		s->result->observations = strdup(text);
		return s->result->observations ? 0 : -ENOMEM;
	case GUEST_DONE:
		s->done = true;
		return 0;
	case NR_GUEST_MESSAGES:
		break;
	}
	return -EBADMSG;
}

static int take_messages(struct session *s)
{
	for (;;) {
		_cleanup_free_ char *payload = NULL;
		enum guest_message type;
		size_t len;
		int got = guest_frames_next(&s->frames, &type, &payload, &len);

		if (got == -EBADMSG)
			return diag_error(s->diags, -EIO, "the guest's channel delivered damaged data");
		if (got <= 0)
			return got;
		got = take_message(s, type, payload);
		if (got)
			return got;
	}
}

/* 1: something came; 0: the other side closed; or a negative errno. */
static int read_channel(struct session *s)
{
	char buf[16384];
	ssize_t n = read(s->run->channel_fd, buf, sizeof(buf));
	int err;

	if (n < 0)
		return errno == EINTR || errno == EAGAIN ? 1 : errno == ECONNRESET ? 0 : -errno;
	if (!n)
		return 0;
	err = guest_frames_add(&s->frames, buf, (size_t)n);
	if (!err)
		err = take_messages(s);
	return err ? err : 1;
}

static int read_console(struct session *s)
{
	char buf[4096];
	ssize_t n = read(s->console_fd, buf, sizeof(buf));

	if (n < 0)
		return errno == EINTR || errno == EAGAIN ? 1 : -errno;
	guest_console_add(&s->console, buf, (size_t)n);
	return n > 0;
}

static bool is_interrupted(const struct session *s)
{
	return s->run->interrupted && *s->run->interrupted;
}

/* Nothing came for a while: 1 to wait on. */
static int judge_silence(const struct session *s)
{
	uint64_t silent_ns = now_ns() - s->heard_ns;
	_cleanup_free_ char *panic = NULL;

	if (silent_ns > s->run->silence_ns)
		return -ETIMEDOUT;
	if (silent_ns < panic_silence_ns)
		return 1;
	panic = guest_console_panic(&s->console);
	return panic ? -EIO : 1;
}

/* 1: go on; 0: both streams are at their end; or a negative errno. */
static int watch_once(struct session *s)
{
	struct pollfd fds[] = {
		{.fd = s->console_fd,                             .events = POLLIN},
		{.fd = s->channel_open ? s->run->channel_fd : -1, .events = POLLIN},
	};
	int n = poll(fds, ARRAY_SIZE(fds), 200);
	int got;

	if (is_interrupted(s))
		return -EINTR;
	if (n < 0)
		return errno == EINTR ? 1 : -errno;
	if (!n)
		return judge_silence(s);
	s->heard_ns = now_ns();
	if (fds[1].revents) {
		got = read_channel(s);
		if (got < 0)
			return got;
		s->channel_open = got;
	}
	if (!fds[0].revents)
		return 1;
	got = read_console(s);
	if (got)
		return got;
	/* QEMU is gone; what it still sent may be in the socket. */
	while (s->channel_open && !s->done && (got = read_channel(s)) > 0)
		;
	return MIN(got, 0);
}

static int watch(struct session *s)
{
	int got = 1;

	while (got > 0 && !s->done)
		got = watch_once(s);
	return got < 0 ? got : 0;
}

/* Say in one line what happened, then show the console. */
static int explain(struct session *s, int err)
{
	_cleanup_free_ char *panic = guest_console_panic(&s->console);
	_cleanup_free_ char *tail = guest_console_tail(&s->console, TAIL_LINES);
	char limit[UNITS_STR];

	if (err == -EINTR)
		return err;
	if (panic)
		diag_error(s->diags, err, "the guest's kernel panicked: %s", panic);
	else if (err == -ETIMEDOUT)
		diag_error(s->diags, err, "the guest hangs: it said nothing for %s",
			   duration_human(limit, (double)s->run->silence_ns));
	else if (!err && guest_frames_pending(&s->frames))
		diag_error(s->diags, err, "the guest ended in the middle of a message");
	else if (!err)
		diag_error(s->diags, err, "the guest ended before it had sent its results");
	if (tail && *tail)
		diag_add(s->diags, DIAG_NOTE, NULL, 0, 0, "the last lines of its console:\n%s", tail);
	return err ? err : -EIO;
}

int guest_run(const struct guest_run *run, struct diags *diags, struct guest_result *out)
{
	struct session *s = calloc(1, sizeof(*s));
	int err;

	*out = (struct guest_result){0};
	if (!s)
		return -ENOMEM;
	*s = (struct session){
		.run = run, .diags = diags, .result = out, .console_fd = -1, .channel_open = true};
	s->start_ns = s->heard_ns = now_ns();
	err = start_qemu(s);
	if (err)
		diag_error(diags, err, "cannot start %s: %s", run->argv[0], strerror(-err));
	else
		err = watch(s);
	reap(s);
	if (s->console_fd >= 0 && (err || !s->done))
		err = explain(s, err);
	out->wall_ns = now_ns() - s->start_ns;
	close_fd(&s->console_fd);
	guest_frames_free(&s->frames);
	free(s);
	return err;
}

void guest_result_free(struct guest_result *result)
{
	free(result->observations);
	*result = (struct guest_result){0};
}
