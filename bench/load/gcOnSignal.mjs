// Preloaded into a measured server: on SIGUSR2 it collects garbage and returns the memory to the system, so
// that memory figures do not depend on the collector's timing.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')
process.on('SIGUSR2', () => collect({ type: 'major', execution: 'sync', flavor: 'last-resort' }))
