import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'

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

/** Longer than the pause between two rounds of lap timing, in which a server with a backlog would seem idle. */
const idleForS = 4
/** The heartbeats of 1,000 drivers take less. */
const idleShare = 0.1
const mostIdleTries = 60

/** Resolves once the process has no backlog of work: it uses little of its core. */
export async function untilIdle(pid: number) {
  for (let tries = 0; tries < mostIdleTries; tries++) {
    const [startedAt, before] = [performance.now(), cpuSeconds(pid)]
    await pause(idleForS * 1000)
    if ((cpuSeconds(pid) - before) / ((performance.now() - startedAt) / 1000) < idleShare) return
  }
  throw new Error(`The server was still busy after ${mostIdleTries * idleForS} s`)
}
