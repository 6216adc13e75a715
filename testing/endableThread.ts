// Loaded before a server in a test: the message `end-thread` ends its database thread, as a crash would;
// after `hang-thread` the thread receives nothing more.
import { syncBuiltinESMExports } from 'node:module'
import threads, { type WorkerOptions } from 'node:worker_threads'

const { Worker } = threads

threads.Worker = class extends Worker {
  constructor(entry: string | URL, options?: WorkerOptions) {
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
