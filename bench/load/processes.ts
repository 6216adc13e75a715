import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'

/** One core is for the measured server alone; the other runs the load and everything else. */
export const serverCore = 0
export const loadCore = Math.min(1, cpus().length - 1)

/** Unit of the times in /proc/PID/stat, the same on every Linux that Node supports. */
const ticksPerSecond = 100

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

/** Longer than the pause between two rounds of lap timing, in which a server with a backlog would seem idle. */
const idleForS = 4
/** The heartbeats of 5,000 drivers take about half of this share of a core. */
const idleShare = 0.1
const mostIdleTries = 60

/** Resolves once the processes have no backlog of work: they use little of their core. */
export async function untilIdle(pids: readonly number[]) {
  const cpuS = () => pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0)
  for (let tries = 0; tries < mostIdleTries; tries++) {
    const [startedAt, before] = [performance.now(), cpuS()]
    await pause(idleForS * 1000)
    if ((cpuS() - before) / ((performance.now() - startedAt) / 1000) < idleShare) return
  }
  throw new Error(`The server was still busy after ${mostIdleTries * idleForS} s`)
}

/**
 * CPU time of a process since its start in user mode and in the kernel, in seconds. The kernel samples it 250 times a
 * second and reports it in steps of 10 ms: only the sum of several rounds is meaningful.
 */
export function cpuModes(pid: number): { userS: number; systemS: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // Fields 14 and 15. The name of the program, field 2, may contain spaces.
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
  return { userS: Number(user) / ticksPerSecond, systemS: Number(system) / ticksPerSecond }
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
