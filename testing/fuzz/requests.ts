import type { Answer, HttpClient, Request } from './http.ts'
import type { FuzzRecord } from './record.ts'

/** What a request's answer must not contain, and where it is counted. */
interface Expected {
  border: string
  secret: string
}

/** Answers that say that something else is missing, not that the server failed. */
const documented = /"code":"(google-not-set-up|mail-not-sent)"/

/** Sends one request, counts it, and records what must not happen. True if it was accepted and may change something. */
export async function tryRequest(
  client: HttpClient,
  record: FuzzRecord,
  { border, secret }: Expected,
  request: Request,
): Promise<boolean> {
  const counts = record.of(border)
  counts.tried += 1
  let answer: Answer
  try {
    answer = await client.send(request)
  } catch (error) {
    record.violate(border, `no answer: ${String(error)}`, request)
    return true
  }
  const { status, text } = answer
  if (status >= 500 && !documented.test(text)) {
    counts.serverErrors += 1
    record.violate(border, `answered ${status} ${text.slice(0, 200)}`, request)
  }
  if (text.includes(secret)) record.violate(border, 'an answer contains what is secret', request)
  const isRefused = status === 0 || status >= 400
  if (status === 429) counts.limited += 1
  if (isRefused) counts.refused += 1
  else counts.accepted += 1
  return !isRefused && request.method !== 'GET' && request.method !== 'HEAD'
}
