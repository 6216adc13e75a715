import { readFileSync, readlinkSync } from 'node:fs'
import os from 'node:os'

/** One run of one process. `place` says where its number means something. */
export interface ProcessIdentity {
  pid: number
  startTime: string
  place: string
}

export function thisProcess(): ProcessIdentity {
  return { pid: process.pid, startTime: startTimeOf(process.pid), place: currentPlace() }
}

/** The boot and the process namespace: in another container the same number is another process. */
export function currentPlace(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    // No /proc: the machine's name is the best there is.
    return os.hostname()
  }
}

/** True while this very process runs; its number given to another process does not count. */
export function isRunning({ pid, startTime }: ProcessIdentity): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: it runs, and is someone else's.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false
  }
  return startTimeOf(pid) === startTime
}

/** Ticks since boot, or nothing where there is no /proc: then the number alone decides. */
function startTimeOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // Field 22; the second is the program's name in brackets and may hold spaces.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // Z: ended, and its parent has not looked yet.
    return state === 'Z' ? 'ended' : (fields[18] ?? '')
  } catch {
    return ''
  }
}
