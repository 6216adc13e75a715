import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { Refusal } from '#contract/refusal.ts'
import type { Hub } from './live/publish/hub.ts'
import type { Readiness } from './readiness.ts'
import type { Recorder } from './telemetry/recorder.ts'

/** In seconds. A message should be shown within one second; after two minutes most messages have expired. */
const shownBuckets = [0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 2, 5, 10, 30, 120]

/** Metrics of this node in Prometheus' format. They contain no ids and no names. */
export class Metrics {
  readonly #register = new Registry()
  readonly #shown = new Histogram({
    name: 'pitboard_message_shown_seconds',
    help: "Seconds from storing a message to painting it on the driver's screen.",
    buckets: shownBuckets,
    registers: [this.#register],
  })
  readonly #fixesOverLimit = new Counter({
    name: 'pitboard_fixes_over_limit_total',
    help: 'Fixes dropped because their session or network exceeded its rate limit.',
    registers: [this.#register],
  })

  /** Records that a fix was dropped by the rate limit. */
  fixOverLimit() {
    this.#fixesOverLimit.inc()
  }

  /** Records that a message was painted on the driver's screen, `afterMs` after it was sent. */
  messageShown(afterMs: number) {
    this.#shown.observe(afterMs / 1000)
  }

  /** Returns Prometheus' text format. */
  text(): Promise<string> {
    return this.#register.metrics()
  }

  /** Registers gauges and counters that are read on each scrape, and Node's own metrics. */
  collectFrom({ hub, recorder, readiness, https }: Sources) {
    const { counts } = hub
    this.#gauge('pitboard_connections', 'Open live connections.', () => hub.connectionCount)
    this.#gauge('pitboard_rooms', 'Rooms with a subscriber on this node.', () => hub.roomCount)
    this.#counter(
      'pitboard_fixes_total',
      'Fixes received from cars.',
      () => recorder.counts.recorded,
    )
    this.#gauge('pitboard_fixes_queued', 'Fixes in the write queue.', () => recorder.counts.queued)
    this.#counter(
      'pitboard_fixes_dropped_total',
      'Fixes dropped because the write queue was full.',
      () => recorder.dropped,
    )
    this.#counter(
      'pitboard_deliveries_total',
      'Events sent to live connections.',
      () => counts.deliveries,
    )
    this.#counter(
      'pitboard_fixes_skipped_total',
      'Fixes not sent to slow connections.',
      () => counts.skippedFixes,
    )
    this.#counter(
      'pitboard_slow_connections_closed_total',
      'Connections closed for being slow.',
      () => counts.closedConnections,
    )
    this.#gauge('pitboard_database_up', '1 while the database responds.', async () =>
      Number((await readiness()).database),
    )
    this.#gauge('pitboard_bus_up', '1 while the bus is connected, or there is none.', async () =>
      Number((await readiness()).bus),
    )
    const daysLeft = https?.daysLeft?.bind(https)
    if (daysLeft)
      this.#gauge('pitboard_certificate_days_left', 'Days until the certificate ends.', daysLeft)
    collectDefaultMetrics({ register: this.#register })
  }

  #gauge(name: string, help: string, read: () => number | Promise<number>) {
    new Gauge({
      name,
      help,
      registers: [this.#register],
      async collect() {
        this.set(await read())
      },
    })
  }

  #counter(name: string, help: string, read: () => number) {
    new Counter({
      name,
      help,
      registers: [this.#register],
      collect() {
        this.reset()
        this.inc(read())
      },
    })
  }
}

interface Sources {
  hub: Hub
  recorder: Recorder
  readiness: Readiness
  https?: { daysLeft?(): number } | undefined
}

/** Adds `/metrics`, for clients with the token. Without a configured token the path does not exist. */
export function addMetrics(app: FastifyInstance, metrics: Metrics, token: string | undefined) {
  if (token === undefined) {
    // Otherwise the web app's fallback route would respond with its page.
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

/** Hashes to a fixed length, because `timingSafeEqual` requires equal lengths. */
function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
