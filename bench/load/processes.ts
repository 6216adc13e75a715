import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'

/** The measured server has a core for itself; the other has the load and all that is beside it. */
export const serverCore = 0
export const loadCore = Math.min(1, cpus().length - 1)

let told = false

/** Keeps a process, with its threads, on one core, where the system has `taskset`. Says so once where it has not. */
export function pin(pid: number, core: number) {
  try {
    execFileSync('taskset', ['-a', '-p', '-c', String(core), String(pid)], { stdio: 'ignore' })
  } catch {
    if (!told)
      console.log('No process is pinned to a core: there is no taskset, or it was refused.')
    told = true
  }
}

/** CPU that a process took so far, user and system, in seconds. By its threads, as /proc/PID/stat only counts hundredths. */
export function cpuSeconds(pid: number): number {
  let nanoseconds = 0
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const [running] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')
    nanoseconds += Number(running)
  }
  return nanoseconds / 1e9
}

/**
 * Memory of processes that lies in RAM, in bytes, without the pages of their programs' files: the system
 * takes those back as it likes.
 */
export function memoryBytes(pids: number[]): number {
  const kilobytes = pids.map(pid => {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1])
  })
  return kilobytes.reduce((sum, each) => sum + each, 0) * 1024
}

/** How many files and sockets a process of this shell may have open. */
export function openFilesLimit(): number {
  const limits = readFileSync('/proc/self/limits', 'utf8')
  return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY)
}
