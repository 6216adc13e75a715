// The database thread on a disk that a test can fill: see fullDisk.system.test.ts.
import fs from 'node:fs'

const control = process.env.FULL_DISK_CONTROL ?? ''
const { openSync, readFileSync, statfsSync, writeSync } = fs
const logFiles = new Set()

function state() {
  try {
    return readFileSync(control, 'utf8')
  } catch {
    return ''
  }
}

fs.statfsSync = folder =>
  Object.assign(statfsSync(folder), state() === 'nearlyFull' ? { bavail: 0 } : {})
fs.openSync = (name, ...rest) => {
  const fd = openSync(name, ...rest)
  if (String(name).includes('xlogtemp')) logFiles.add(fd)
  else logFiles.delete(fd)
  return fd
}
fs.writeSync = (fd, ...rest) => {
  if (logFiles.has(fd) && state() === 'full')
    throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
  return writeSync(fd, ...rest)
}

await import('#server/db/engines/databaseThreadFromSource.mjs')
