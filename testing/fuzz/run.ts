import fc from 'fast-check'
import {
  assistCase,
  openAssist,
  openSignalling,
  signallingCase,
  trySupport,
} from '#support/testing/fuzzBorders.ts'
import { authServer } from '../authServer.ts'
import { HttpClient } from './http.ts'
import { callCase, callRequest } from './httpBorder.ts'
import { type LiveCase, liveCase, tryLive } from './liveBorder.ts'
import { rawCase, tryRaw } from './rawBorder.ts'
import { FuzzRecord } from './record.ts'
import { tryRequest } from './requests.ts'
import { devCase, type RouteCase, routeCase, routeRequest } from './routesBorder.ts'
import { type Cast, type FuzzServer, healed, newCast, openFuzzServer } from './scene.ts'
import { everythingStored, storedOfForeign } from './stored.ts'

export interface FuzzPlan {
  /** The first batch's seed; each batch that follows has the next number. */
  seed: number
  /** Stops after the batch in which so many inputs were tried, or the time is over. */
  cases: number
  forMs: number
  /** Goes on after a batch with violations. */
  keepGoing?: boolean
  /** Called after each batch. */
  onBatch?: (seed: number, record: FuzzRecord) => void
}

export interface FuzzResult {
  record: FuzzRecord
  batches: number
  /** The seed that repeats the first batch with a violation; none where there was none. */
  failedSeed: number | null
}

/** Inputs of a group are sent at once; what is stored is compared before and after it. */
const groupSize = 25

/** Sends generated inputs to every border of a server of its own, until the plan is done or one fails. */
export async function fuzz(plan: FuzzPlan): Promise<FuzzResult> {
  const { seed, cases, forMs, keepGoing = false, onBatch } = plan
  const record = new FuzzRecord()
  const onUncaught = (error: unknown) => {
    record.uncaught += 1
    const stack = error instanceof Error ? error.stack : undefined
    record.violate('process', `not caught: ${String(error)}`, stack)
  }
  process.on('uncaughtException', onUncaught)
  process.on('unhandledRejection', onUncaught)
  try {
    await using server = await openFuzzServer(record)
    await using dev = await authServer({ mailsStay: true })
    const until = Date.now() + forMs
    let failedSeed: number | null = null
    for (let batch = 0; ; batch++) {
      await runBatch({ seed: seed + batch, server, devUrl: dev.url, record })
      onBatch?.(seed + batch, record)
      if (record.violations.length > 0) failedSeed ??= seed + batch
      const isOver = record.tried >= cases || Date.now() > until
      if (isOver || (failedSeed !== null && !keepGoing)) {
        return { record, batches: batch + 1, failedSeed }
      }
    }
  } finally {
    process.off('uncaughtException', onUncaught)
    process.off('unhandledRejection', onUncaught)
  }
}

interface Batch {
  seed: number
  server: FuzzServer
  devUrl: string
  record: FuzzRecord
}

async function runBatch(batch: Batch) {
  const { seed, server, record } = batch
  const { url } = server.app
  let cast = await newCast(server)
  const before = JSON.stringify(await storedOfForeign(server.app, cast))
  const sample = <T>(arbitrary: fc.Arbitrary<T>, numRuns: number) =>
    fc.sample(arbitrary, { seed, numRuns })
  try {
    using client = new HttpClient(url, { forwarded: true })
    for (const calls of groupsOf(sample(callCase, 10 * groupSize))) {
      cast = await healed(server, cast)
      const expected = { border: 'HTTP calls', secret: cast.secret }
      await unlessChanged(batch, calls, async () => {
        const changes = await Promise.all(
          calls.map(each => tryRequest(client, record, expected, callRequest(each, cast))),
        )
        return changes.includes(true)
      })
    }
    for (const routes of groupsOf(sample(routeCase, 4 * groupSize))) {
      cast = await healed(server, cast)
      const expected = { border: 'HTTP routes', secret: cast.secret }
      await unlessChanged(batch, routes, async () => {
        const changes = await Promise.all(
          routes.map(each => tryRequest(client, record, expected, routeRequest(each, cast, url))),
        )
        return changes.includes(true)
      })
    }
    await tryDev(batch, sample(devCase, groupSize), cast.secret)
    await Promise.all(sample(rawCase, groupSize).map(each => tryRaw(url, record, each)))
    for (const each of sample(liveCase, 8)) await tryLiveCase(batch, cast, each)
    for (const each of sample(assistCase, 8)) {
      await server.app.forgetLimits()
      const pair = await openAssist(url, cast)
      await trySupport(pair, record, each)
      pair.tab.close()
      pair.agent.close()
    }
    for (const each of sample(signallingCase, 8)) {
      await server.app.forgetLimits()
      using pair = await openSignalling(url, cast)
      await trySupport(pair, record, each)
      pair.tab.close()
      pair.agent.close()
    }
    await checkForeign(batch, cast, before)
  } catch (error) {
    const stack = error instanceof Error ? error.stack : undefined
    record.violate('batch', `stopped: ${String(error)}`, stack)
  } finally {
    cast[Symbol.dispose]()
  }
}

async function tryLiveCase({ server, record }: Batch, cast: Cast, each: LiveCase) {
  await tryLive(server.app.url, await healed(server, cast), record, each)
}

/** Forwarded requests find nothing under `/dev`, so these come without an address. */
async function tryDev({ devUrl, record }: Batch, cases: RouteCase[], secret: string) {
  using client = new HttpClient(devUrl, { forwarded: false })
  await Promise.all(
    cases.map(each =>
      tryRequest(client, record, { border: 'HTTP /dev', secret }, routeRequest(each, null, devUrl)),
    ),
  )
}

/** Compares all that is stored before and after inputs of which none was accepted. */
async function unlessChanged(
  { server, record }: Batch,
  inputs: unknown,
  act: () => Promise<boolean>,
) {
  const before = JSON.stringify(await everythingStored(server.app))
  if (await act()) return
  record.stateChecks += 1
  const after = JSON.stringify(await everythingStored(server.app))
  if (after === before) return
  record.violate('stored', `refused inputs changed ${before} to ${after}`, inputs)
}

/** Nothing of the others' team was changed, nor did anything but their own reach them. */
async function checkForeign({ server, record }: Batch, cast: Cast, before: string) {
  record.stateChecks += 1
  const after = JSON.stringify(await storedOfForeign(server.app, cast))
  if (after !== before) record.violate('stored', `a team of others changed: ${before} to ${after}`)
  const events = await cast.watcher.events()
  for (const event of events.filter(each => isOfForeign(each, cast))) {
    record.violate('watcher', 'a team of others received an event', event)
  }
  const response = await fetch(`${server.app.url}/healthz`)
  if (!response.ok) record.violate('process', `/healthz answered ${response.status}`)
}

/** That the foreign driver was invited to another team is nothing that happened in theirs. */
function isOfForeign(event: string, { names }: Cast): boolean {
  const { foreignTeamId = '', foreignSessionId = '' } = names
  const isClosed = !event.startsWith('{')
  return isClosed || event.includes(foreignTeamId) || event.includes(foreignSessionId)
}

function groupsOf<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / groupSize) }, (_, n) =>
    all.slice(n * groupSize, (n + 1) * groupSize),
  )
}
