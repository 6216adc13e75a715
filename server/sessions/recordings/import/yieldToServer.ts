import { readdirSync, writeFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import { Worker } from 'node:worker_threads'

/** Beside a busy server this process gets about a quarter of a core. */
const lowPriority = 5

/** The kernel ends this process before any other. */
const endsFirst = '1000'

/**
 * Gives the server precedence for the processor and for memory. Never raises the priority, for which rights are
 * needed.
 */
export function yieldToServer() {
  // Linux has a priority for each thread, such as those that collect garbage.
  attempt(() => readdirSync('/proc/self/task').forEach(id => lowerPriority(Number(id))))
  attempt(() => lowerPriority(0))
  // Only Linux has this file.
  attempt(() => writeFileSync('/proc/self/oom_score_adj', endsFirst))
}

function lowerPriority(id: number) {
  setPriority(id, Math.max(lowPriority, getPriority(id)))
}

/** Does what a container or an operating system may forbid: the file is read all the same. */
function attempt(act: () => void) {
  try {
    act()
  } catch {
    // Without it.
  }
}

/**
 * Ends this process soon after the server, which may be killed at any time. A thread checks it, because no timer of
 * this thread fires while it reads. Does nothing on Windows, where a process keeps its parent.
 */
export function endWith(serverId: number) {
  const check = `process.ppid === ${serverId} || process.kill(process.pid, 'SIGKILL')`
  new Worker(`setInterval(() => ${check}, 500)`, { eval: true }).unref()
}
