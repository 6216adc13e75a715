// The process that reads one recording: a large or hostile file must neither stop the live channel nor end the server.
// It receives the file as its input, and `dayMs` and `nowMs` as its argument.
import { setPriority } from 'node:os'
import { buffer } from 'node:stream/consumers'
import { readBytes } from './readBytes.ts'
import { encodeResponse } from './readMessages.ts'

/** The server has precedence: beside it this process gets about a quarter of a busy core. */
const lowPriority = 5

setPriority(lowPriority)
const settings = JSON.parse(process.argv[2] ?? '{}')
const response = readBytes({ bytes: await buffer(process.stdin), ...settings })
for (const part of encodeResponse(response)) process.stdout.write(part)
