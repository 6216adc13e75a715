import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'

/**
 * A database thread with a simulated full disk: `nearlyFull` reports no free space but accepts writes; `full`
 * fails writes that need a new segment of the write-ahead log, as if another program had used the rest.
 */
export function fullDiskThread(control: string) {
  return {
    start: (directory: string) =>
      new Worker(new URL('fullDiskEntry.mjs', import.meta.url), {
        execArgv: [],
        workerData: directory,
        env: { ...process.env, FULL_DISK_CONTROL: control },
      }),
    fill: (how: 'nearlyFull' | 'full') => writeFileSync(control, how),
    hasRoom: () => !existsSync(control),
    makeRoom: () => rmSync(control, { force: true }),
  }
}
