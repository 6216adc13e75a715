// The process that reads one recording: a large or hostile file must neither stop the live channel nor end the server.
// It receives the file as its input, and `dayStartMs`, `nowMs` and the server's process id as its argument.
import { buffer } from 'node:stream/consumers'
import { readBytes } from './readBytes.ts'
import { encodeResponse } from './readMessages.ts'
import { exitWithServer, yieldToServer } from './yieldToServer.ts'

const { serverId, ...settings } = JSON.parse(process.argv[2] ?? '{}')
yieldToServer()
exitWithServer(serverId)
const response = readBytes({ bytes: await buffer(process.stdin), ...settings })
for (const part of encodeResponse(response)) process.stdout.write(part)
