import type { Log } from '../log.ts'
import type { OpenSource, SourceEvents } from './openSource.ts'
import { ProviderFailed } from './providerRequests.ts'

/** Lines of the previous answer that are compared with the next one. */
const maxCompared = 20_000

/**
 * Runs a source that is read by requests until it fails or is closed. `run` reports lines. Those of the previous
 * report are left out, except lines with the flag: they show that it is current.
 */
export function openPolled(
  log: Log,
  events: SourceEvents,
  run: (report: (lines: readonly string[]) => void, signal: AbortSignal) => Promise<void>,
): OpenSource {
  const controller = new AbortController()
  let before = new Set<string>()
  const report = (lines: readonly string[]) => {
    if (controller.signal.aborted) return
    const newLines = lines.filter(line => line.startsWith('$F,') || !before.has(line))
    before = new Set(lines.slice(0, maxCompared))
    events.data(Buffer.from(newLines.map(line => `${line}\n`).join('')))
  }
  void run(report, controller.signal)
    .catch((err: unknown) => {
      if (err instanceof ProviderFailed) return err
      log.error({ err }, 'failed to read a provider of timing')
      return new ProviderFailed('unreachable')
    })
    .then(failed => events.closed(failed?.failure ?? 'closed', failed?.pauseMs))
  return {
    // The rate of requests bounds the lines that arrive.
    pause: () => undefined,
    resume: () => undefined,
    close: () => controller.abort(),
  }
}
