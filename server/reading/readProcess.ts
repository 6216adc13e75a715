// The process that reads one file of a user: a large or hostile one must neither stop the live channel nor end the
// server. It receives the file as its input, and a `ReaderTask` with the server's process id as its argument.
import { buffer } from 'node:stream/consumers'
import { circuitInFile } from './circuitInFile.ts'
import { readBytes } from './readBytes.ts'
import { encodeResponse, type ReaderTask } from './readMessages.ts'
import { exitWithServer, yieldToServer } from './yieldToServer.ts'

const task: ReaderTask & { serverId: number } = JSON.parse(process.argv[2] ?? '{}')
yieldToServer()
exitWithServer(task.serverId)
const bytes = await buffer(process.stdin)
const response =
  task.reads === 'circuit'
    ? [JSON.stringify(circuitInFile(bytes.toString()))]
    : encodeResponse(readBytes({ bytes, ...task }))
for (const part of response) process.stdout.write(part)
