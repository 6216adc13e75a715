// Preloaded into a measured server. When the server ends, writes the times of each message to the file STAGE_TIMES, in
// milliseconds since the epoch: request received, stored, and written to the first connection.
import { subscribe } from 'node:diagnostics_channel'
import { writeFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { Worker } from 'node:worker_threads'

const now = () => performance.timeOrigin + performance.now()
const times = { requested: [], stored: [], published: [], databaseCalls: [] }
let isPending = false
let storedAt = 0
let calls = 0

subscribe('http.server.request.start', ({ request }) => {
  if (!request.url.endsWith('/api/messages.set')) return
  times.requested.push(now())
  isPending = true
  calls = 0
})

// The embedded database responds by messages of its thread: the last one before the publication is the commit.
const { emit } = Worker.prototype
Worker.prototype.emit = function (name, ...rest) {
  if (name === 'message') {
    storedAt = now()
    calls += 1
  }
  return emit.call(this, name, ...rest)
}

/** Records the first frame of a message that the server writes after the request. */
function onWrite(chunk) {
  if (!isPending || !chunk.includes('{"t":"message"')) return
  isPending = false
  times.stored.push(storedAt)
  times.published.push(now())
  times.databaseCalls.push(calls)
}

const { write } = Socket.prototype
Socket.prototype.write = function (chunk, ...rest) {
  if (Buffer.isBuffer(chunk)) onWrite(chunk)
  return write.call(this, chunk, ...rest)
}

process.once('exit', () => writeFileSync(process.env.STAGE_TIMES, JSON.stringify(times)))
