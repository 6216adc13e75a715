import type { privacy } from '#contract/privacy.ts'
import type { AppContext, Caller } from '../context.ts'
import type { HandlersOf } from '../http/route.ts'

export function privacyCalls({
  config,
}: Pick<AppContext, 'config'>): HandlersOf<typeof privacy, Caller> {
  return {
    settings: () =>
      Promise.resolve({
        historyDays: config.historyDays,
        support: !config.support ? 'none' : config.support.external ? 'openreplay' : 'built-in',
      }),
  }
}
