import type { Log } from './log.ts'

/** Closing takes a second or two; whatever hangs for longer is given up. */
const closeWithinMs = 10_000

/**
 * Watches for errors that nothing caught. Whatever threw may have left the state of this process half
 * changed, so it does not go on: the caller closes down as for a signal, and the process ends with code 1,
 * after which its supervisor starts it anew. Errors of one connection never come here: sockets catch them
 * and close that connection.
 */
export function watchForUncaught(log: Log): { happened: Promise<void> } {
  let stop: () => void = () => undefined
  const happened = new Promise<void>(resolve => {
    stop = resolve
  })
  // Unhandled rejections come here, too: `origin` names them.
  process.on('uncaughtException', (error, origin) => {
    log.fatal({ err: error, origin }, 'uncaught error, stopping the server')
    exitWithFailure()
    stop()
  })
  return { happened }
}

/** Lets the process end with code 1: by itself once everything is closed, or after 10 s. */
export function exitWithFailure() {
  if (process.exitCode === 1) return
  process.exitCode = 1
  setTimeout(() => process.exit(1), closeWithinMs).unref()
}
