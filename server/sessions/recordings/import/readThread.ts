// The worker thread that reads one recording: a large or hostile file must not stop the live channel.
import { parentPort, workerData } from 'node:worker_threads'
import { readBytes } from './readBytes.ts'
import type { ReadRequest } from './readMessages.ts'

const response = readBytes(workerData as ReadRequest)
parentPort?.postMessage(
  response,
  'fixes' in response ? Object.values(response.fixes).map(column => column.buffer) : [],
)
