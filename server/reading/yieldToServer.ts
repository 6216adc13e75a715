import { readdirSync, writeFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import { Worker } from 'node:worker_threads'

/** Beside a busy server this process gets about a quarter of a core. */
const lowPriority = 5

/** Highest `oom_score_adj`: when memory runs out, the kernel kills this process first. */
const endsFirst = '1000'

/**
 * Gives the server precedence for the processor and for memory. Never raises the priority, for which rights are
 * needed.
 */
export function yieldToServer() {
  // On Linux each thread has its own priority, including V8's garbage collection threads.
  attempt(() => readdirSync('/proc/self/task').forEach(id => lowerPriority(Number(id))))
  attempt(() => lowerPriority(0))
  // Only Linux has this file.
  attempt(() => writeFileSync('/proc/self/oom_score_adj', endsFirst))
}

function lowerPriority(id: number) {
  setPriority(id, Math.max(lowPriority, getPriority(id)))
}

/** Ignores errors: a container or operating system may forbid the action, and reading works without it. */
function attempt(act: () => void) {
  try {
    act()
  } catch {
    // Optional.
  }
}

/**
 * Ends this process within a second after the server, which may be killed at any time. Polls in a worker thread,
 * because timers of the main thread do not fire during reading. Does nothing on Windows, where the parent id stays.
 */
export function exitWithServer(serverId: number) {
  const check = `process.ppid === ${serverId} || process.kill(process.pid, 'SIGKILL')`
  new Worker(`setInterval(() => ${check}, 500)`, { eval: true }).unref()
}
