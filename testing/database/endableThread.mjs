// Preloaded into a server under test. The message `end-thread` terminates its database thread like a crash;
// after `hang-thread` the thread receives no more messages.
import { syncBuiltinESMExports } from 'node:module'
import threads from 'node:worker_threads'

const { Worker } = threads

threads.Worker = class extends Worker {
  constructor(entry, options) {
    super(entry, options)
    process.on('message', message => {
      if (message === 'end-thread') void this.terminate()
      if (message !== 'hang-thread') return
      this.postMessage = () => undefined
      process.send?.('thread-hangs')
    })
  }
}
syncBuiltinESMExports()
