import { readFileSync, readlinkSync } from 'node:fs'
import os from 'node:os'

/** Identifies one run of a process. `place` is the machine and namespace in which its pid is valid. */
export interface ProcessIdentity {
  pid: number
  startTime: string
  place: string
}

export function thisProcess(): ProcessIdentity {
  return { pid: process.pid, startTime: startTimeOf(process.pid), place: currentPlace() }
}

/** The boot and the pid namespace: in another container the same pid is another process. */
export function currentPlace(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    // Without /proc the host name has to do.
    return os.hostname()
  }
}

/** True while this very process runs, even if its pid could have been reused. */
export function isRunning({ pid, startTime }: ProcessIdentity): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: it runs under another user.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false
  }
  return startTimeOf(pid) === startTime
}

/** Ticks since boot; empty without /proc, where only the pid is compared. */
function startTimeOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // Field 22. The second field is the program's name in brackets and may contain spaces.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // Z: a zombie, which has ended but was not yet waited for.
    return state === 'Z' ? 'ended' : (fields[18] ?? '')
  } catch {
    return ''
  }
}
