// Loaded into a measured server before its own code: when told to by SIGUSR2 it collects garbage and gives
// the room back to the system, so that memory is compared and not the mood of a collector.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')
process.on('SIGUSR2', () => collect({ type: 'major', execution: 'sync', flavor: 'last-resort' }))
