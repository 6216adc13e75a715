import { z } from 'zod'
import { command } from './endpoint.ts'
import { EpochMs, FillId, SessionId } from './ids.ts'
import { fillKinds } from './shared/fillRules.ts'
import { maxTankL } from './shared/stintRules.ts'

const Litres = z.number().min(0).max(maxTankL)

/** An entry about fuel. */
export const Fill = z.object({
  /** Chosen by the client that added it; the fuel at the start has the id of its session. */
  id: FillId,
  at: EpochMs,
  /** 0: the car was not refuelled at this stop. */
  litres: Litres,
  kind: z.enum(fillKinds),
  /** Name of the person who entered it, or corrected it last; absent if unknown. */
  enteredBy: z.string().optional(),
})
export type Fill = z.infer<typeof Fill>

/** The values of a fill that a member enters. */
const FillValues = z.object({ litres: Litres, kind: z.enum(['full', 'part']) })
export type FillValues = z.infer<typeof FillValues>

const ofSession = z.object({ sessionId: SessionId })
const entered = ofSession.extend({
  fillId: FillId,
  ...FillValues.shape,
  /** Without it, now, or as before. A time in the future is now. */
  at: EpochMs.optional(),
})

const all = z.array(Fill)

export const fills = {
  add: command({
    auth: 'signed-in',
    summary:
      'Stores the litres that went in, now or at a time of the session. Idempotent by the id of the fill, also after it was changed or removed. Returns all fills of the session.',
    input: entered,
    output: all,
  }),
  change: command({
    auth: 'signed-in',
    summary:
      'Corrects a fill. With `was` a correction of another person that the caller has not seen stays, or refuses this one if it is of the same value. Returns all fills of the session.',
    input: entered.extend({
      /** The values that the caller saw. */
      was: FillValues.optional(),
    }),
    output: all,
  }),
  remove: command({
    auth: 'signed-in',
    summary: 'Removes a fill. Idempotent. Returns all fills of the session.',
    input: ofSession.extend({ fillId: FillId }),
    output: all,
  }),
  setStart: command({
    auth: 'signed-in',
    summary:
      'Sets the litres in the tank at the start of the session; null: what its last session of the race left, or a full tank. With `was` it refuses with `entry-changed` if another person has entered other litres since. Returns all fills of the session.',
    input: ofSession.extend({
      litres: Litres.positive().nullable(),
      /** The litres that the caller saw; null without an entry. */
      was: Litres.positive().nullable().optional(),
    }),
    output: all,
  }),
}
