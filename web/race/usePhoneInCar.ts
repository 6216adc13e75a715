import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { SessionId } from '#contract/ids.ts'
import { command } from '#web/api/call.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { useServerClock } from '#web/live/useLive.ts'
import { carPhonesText } from '#web/text/carPhones.ts'
import { useToasts } from '#web/ui/toasts.ts'
import { carRaceQuery } from './carRaceQuery.ts'

interface Options {
  /** True where the screen shows a failure itself. */
  readonly isQuiet?: boolean
}

/** Decides that a phone is in its car from now on, regardless of its positions. `phone` is its session. */
export function usePhoneInCar({ isQuiet = false }: Options = {}) {
  const client = useQueryClient()
  const serverNow = useServerClock()
  const toasts = useToasts()
  return useMutation({
    mutationFn: (phone: SessionId) =>
      command('carRaces.correctRuns', {
        sessionId: phone,
        correctionId: crypto.randomUUID(),
        decisions: [{ phone, from: Math.round(serverNow()), until: null }],
      }),
    // Events of the race refresh the same race of the other phones.
    onSuccess: (race, phone) => client.setQueryData(carRaceQuery(phone).queryKey, race),
    onError: reason => {
      if (!isQuiet) toasts.error(carPhonesText.notDecided, refusalText(reason), 'phone-in-car')
    },
  })
}
