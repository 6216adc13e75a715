import fc from 'fast-check'
import type { Down } from '#contract/live.ts'
import {
  assistCase,
  openAssist,
  openSignalling,
  signallingCase,
  trySupport,
} from '#support/testing/fuzzSupport.ts'
import { type AuthServer, authServer } from '../people/authServer.ts'
import { callCase, callRequest } from './apiCalls.ts'
import { HttpClient, type Request } from './http.ts'
import { devCase, type RouteCase, routeCase, routeRequest } from './httpRoutes.ts'
import { type LiveCase, liveCase, tryLive } from './liveFrames.ts'
import { rawCase, tryRaw } from './rawRequests.ts'
import { FuzzRecord } from './record.ts'
import { tryRequest } from './requests.ts'
import { type FuzzScene, type FuzzServer, newScene, openFuzzServer, repaired } from './scene.ts'
import { everythingStored, storedOfForeign } from './stored.ts'

export interface FuzzPlan {
  /** Seed of the first batch; each later batch has the next number. */
  seed: number
  /** Stops after the batch that reaches this number of inputs or the time limit. */
  cases: number
  forMs: number
  /** Continues after a batch with violations. */
  keepGoing?: boolean
  /** Called after each batch. */
  onBatch?: (seed: number, record: FuzzRecord) => void
}

export interface FuzzResult {
  record: FuzzRecord
  batches: number
  /** The seed of the first batch with a violation, or null. */
  failedSeed: number | null
}

/** Inputs of a group are sent concurrently; the database is compared before and after it. */
const groupSize = 25

/** Sends generated inputs to every interface of a new server, until the plan is done or a batch fails. */
export async function fuzz(plan: FuzzPlan): Promise<FuzzResult> {
  const { seed, cases, forMs, keepGoing = false, onBatch } = plan
  const record = new FuzzRecord()
  const onUncaught = (error: unknown) => {
    record.uncaught += 1
    const stack = error instanceof Error ? error.stack : undefined
    record.violate('process', `uncaught: ${String(error)}`, stack)
  }
  process.on('uncaughtException', onUncaught)
  process.on('unhandledRejection', onUncaught)
  try {
    await using server = await openFuzzServer(record)
    await using dev = await authServer({ withoutSmtp: true })
    const until = Date.now() + forMs
    let failedSeed: number | null = null
    for (let batch = 0; ; batch++) {
      await runBatch({ seed: seed + batch, server, dev, record })
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
  /** A server with the pages under /dev. */
  dev: AuthServer
  record: FuzzRecord
}

async function runBatch(batch: Batch) {
  const { seed, server, record } = batch
  const { url } = server.app
  let scene = await newScene(server)
  const before = JSON.stringify(await storedOfForeign(server.app, scene))
  const sample = <T>(arbitrary: fc.Arbitrary<T>, numRuns: number) =>
    fc.sample(arbitrary, { seed, numRuns })
  try {
    using client = new HttpClient(url, { forwarded: true })
    async function tryAll<Case>(
      entryPoint: string,
      cases: readonly Case[],
      requestOf: (each: Case, of: FuzzScene) => Request,
    ) {
      for (const group of groupsOf(cases)) {
        scene = await repaired(server, scene)
        const expected = { entryPoint, secret: scene.secret }
        await unlessChanged(batch, group, async () => {
          const requests = group.map(each => requestOf(each, scene))
          const tried = requests.map(each => tryRequest(client, record, expected, each))
          return (await Promise.all(tried)).includes(true)
        })
      }
    }
    await tryAll('HTTP calls', sample(callCase, 10 * groupSize), callRequest)
    await tryAll('HTTP routes', sample(routeCase, 4 * groupSize), (each, of) =>
      routeRequest(each, of, url),
    )
    await tryDev(batch, sample(devCase, groupSize), scene.secret)
    await Promise.all(sample(rawCase, groupSize).map(each => tryRaw(url, record, each)))
    for (const each of sample(liveCase, 8)) await tryLiveCase(batch, scene, each)
    for (const each of sample(assistCase, 8)) {
      await server.app.forgetLimits()
      const pair = await openAssist(url, scene)
      await trySupport(pair, record, each)
      pair.tab.close()
      pair.agent.close()
    }
    for (const each of sample(signallingCase, 8)) {
      await server.app.forgetLimits()
      using pair = await openSignalling(url, scene)
      await trySupport(pair, record, each)
      pair.tab.close()
      pair.agent.close()
    }
    await checkForeign(batch, scene, before)
  } catch (error) {
    const stack = error instanceof Error ? error.stack : undefined
    record.violate('batch', `stopped: ${String(error)}`, stack)
  } finally {
    scene[Symbol.dispose]()
  }
}

async function tryLiveCase({ server, record }: Batch, scene: FuzzScene, each: LiveCase) {
  await tryLive(server.app.url, await repaired(server, scene), record, each)
}

/** Routes under `/dev` need the token of their server. */
async function tryDev({ dev, record }: Batch, cases: RouteCase[], secret: string) {
  using client = new HttpClient(dev.url, { forwarded: false })
  const cookie = dev.browser().jar.header
  await Promise.all(
    cases.map(each =>
      tryRequest(
        client,
        record,
        { entryPoint: 'HTTP /dev', secret },
        withHeader(routeRequest(each, null, dev.url), { cookie }),
      ),
    ),
  )
}

function withHeader(request: Request, more: Record<string, string>): Request {
  return { ...request, headers: { ...request.headers, ...more } }
}

/** Compares the database before and after inputs if none was accepted. */
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

/** Checks that the foreign team's data is unchanged, and that it received only its own events. */
async function checkForeign({ server, record }: Batch, scene: FuzzScene, before: string) {
  record.stateChecks += 1
  const after = JSON.stringify(await storedOfForeign(server.app, scene))
  if (after !== before) record.violate('stored', `the foreign team changed: ${before} to ${after}`)
  await scene.watcher.roundTrip()
  for (const event of scene.watcher.all().filter(each => isOfForeign(each, scene)))
    record.violate('watcher', 'the foreign team received an event', event)
  const response = await fetch(`${server.app.url}/healthz`)
  if (!response.ok) record.violate('process', `/healthz responded ${response.status}`)
}

/**
 * Whether a frame has news of the foreign team. An invitation to another team does not. The presence of the watcher
 * is expected, and on a busy machine that the foreign car's phone is silent.
 */
function isOfForeign(frame: Down, { names, foreign }: FuzzScene): boolean {
  const { foreignTeamId, foreignSessionId } = names
  if (frame.t === 'heartbeat' || frame.t === 'silent') return false
  if (frame.t === 'watching' && frame.users.join() === foreign.id) return false
  const text = JSON.stringify(frame)
  return text.includes(foreignTeamId) || text.includes(foreignSessionId)
}

function groupsOf<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / groupSize) }, (_, n) =>
    all.slice(n * groupSize, (n + 1) * groupSize),
  )
}
