import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { Refusal } from '#contract/refusal.ts'
import type { Hub } from './live/hub.ts'
import type { Readiness } from './readiness.ts'
import type { Recorder } from './telemetry/recorder.ts'

/** Seconds. A message is meant to be on the screen within one; after two minutes most have expired. */
const shownBuckets = [0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 2, 5, 10, 30, 120]

/** What this node has seen of the product at work, in Prometheus' terms. No ids, no names. */
export class Metrics {
  readonly #register = new Registry()
  readonly #shown = new Histogram({
    name: 'pitboard_message_shown_seconds',
    help: "From a message's storing to its painting on the driver's screen.",
    buckets: shownBuckets,
    registers: [this.#register],
  })

  /** A message was painted on the driver's screen, so long after it was sent. */
  messageShown(afterMs: number) {
    this.#shown.observe(afterMs / 1000)
  }

  /** Prometheus' text format. */
  text(): Promise<string> {
    return this.#register.metrics()
  }

  /** Reads, whenever it is asked, how the parts of this node are. Also Node's own figures. */
  watch({ hub, recorder, readiness }: Watched) {
    const { counts } = hub
    this.#gauge('lines', 'Open lines.', () => hub.lineCount)
    this.#gauge('rooms', 'Rooms that lines of this node are in.', () => hub.roomCount)
    this.#counter('fixes_total', 'Fixes from cars.', () => recorder.counts.recorded)
    this.#gauge('fixes_waiting', 'Fixes not yet written.', () => recorder.counts.waiting)
    this.#counter('fixes_given_up_total', 'Fixes dropped unwritten.', () => recorder.dropped)
    this.#counter('deliveries_total', 'Events handed to lines.', () => counts.deliveries)
    this.#counter('fixes_skipped_total', 'Fixes that slow lines missed.', () => counts.skippedFixes)
    this.#counter('lines_cut_total', 'Lines cut for being slow.', () => counts.cutLines)
    this.#gauge('database_up', '1 while the database answers.', async () =>
      Number((await readiness()).database),
    )
    this.#gauge('bus_up', '1 while the other nodes are heard, or there are none.', async () =>
      Number((await readiness()).bus),
    )
    collectDefaultMetrics({ register: this.#register })
  }

  #gauge(name: string, help: string, read: () => number | Promise<number>) {
    new Gauge({
      name: `pitboard_${name}`,
      help,
      registers: [this.#register],
      async collect() {
        this.set(await read())
      },
    })
  }

  #counter(name: string, help: string, read: () => number) {
    new Counter({
      name: `pitboard_${name}`,
      help,
      registers: [this.#register],
      collect() {
        this.reset()
        this.inc(read())
      },
    })
  }
}

interface Watched {
  hub: Hub
  recorder: Recorder
  readiness: Readiness
}

/** `/metrics`, for who knows the token. Without a token there is no such address. */
export function addMetrics(app: FastifyInstance, metrics: Metrics, token: string | undefined) {
  if (token === undefined) {
    // Not the app, which answers for every other address.
    app.get('/metrics', { schema: { hide: true } }, () => {
      throw new Refusal('not-found')
    })
    return
  }
  const expected = hashOf(`Bearer ${token}`)
  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    if (!timingSafeEqual(hashOf(request.headers.authorization ?? ''), expected))
      throw new Refusal('not-signed-in')
    return reply
      .type('text/plain; version=0.0.4')
      .header('cache-control', 'no-store')
      .send(await metrics.text())
  })
}

/** Of one length, whatever was sent: only then can they be compared in constant time. */
function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
