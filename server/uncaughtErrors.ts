import type { Log } from './log.ts'

/** Timeout of a graceful shutdown, which normally takes a second or two. */
const shutdownTimeoutMs = 10_000

/**
 * Handles uncaught errors. They may have left this process in an inconsistent state, so it must not
 * continue: the caller shuts down as for a signal, and the process ends with code 1, after which its
 * supervisor restarts it. Errors of a single connection never get here: sockets catch them and close that
 * connection.
 */
export function handleUncaughtErrors(log: Log): { happened: Promise<void> } {
  let stop: () => void = () => undefined
  const happened = new Promise<void>(resolve => {
    stop = resolve
  })
  // Also emitted for unhandled rejections: `origin` names them.
  process.on('uncaughtException', (error, origin) => {
    log.fatal({ err: error, origin }, 'uncaught error, stopping the server')
    exitWithFailure()
    stop()
  })
  return { happened }
}

/** Makes the process exit with code 1: by itself once everything is closed, or after 10 s. */
export function exitWithFailure() {
  if (process.exitCode === 1) return
  process.exitCode = 1
  setTimeout(() => process.exit(1), shutdownTimeoutMs).unref()
}
