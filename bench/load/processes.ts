import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'

/** One core is for the measured server alone; the other runs the load and everything else. */
export const serverCore = 0
export const loadCore = Math.min(1, cpus().length - 1)

let warned = false

/** Pins a process and its threads to one core. Prints a notice once if `taskset` is not available. */
export function pin(pid: number, core: number) {
  try {
    execFileSync('taskset', ['-a', '-p', '-c', String(core), String(pid)], { stdio: 'ignore' })
  } catch {
    if (!warned) console.log('Processes are not pinned to cores: taskset is missing or failed.')
    warned = true
  }
}

/**
 * CPU time of a process, user and system, in seconds. Summed over its threads, because /proc/PID/stat has a
 * resolution of only 10 ms.
 */
export function cpuSeconds(pid: number): number {
  let nanoseconds = 0
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const [running] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')
    nanoseconds += Number(running)
  }
  return nanoseconds / 1e9
}

/** Resident memory of processes in bytes, without pages of files, which the system reclaims at any time. */
export function memoryBytes(pids: number[]): number {
  const kilobytes = pids.map(pid => {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1])
  })
  return kilobytes.reduce((sum, each) => sum + each, 0) * 1024
}

/** Limit of files and sockets that a process of this shell may have open. */
export function openFilesLimit(): number {
  const limits = readFileSync('/proc/self/limits', 'utf8')
  return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY)
}
