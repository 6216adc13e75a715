import type { DownOf } from '#contract/live.ts'
import { isRetryable } from '#contract/shared/refusals.ts'
import type { Retries } from '../retries.ts'
import type { Driving } from './driving.ts'
import type { Subscriptions } from './subscriptions.ts'

interface Context {
  readonly driving: Driving
  readonly subscriptions: Subscriptions
  readonly retries: Retries
  readonly report: (problem: string) => void
}

type Refused = DownOf<'refused'>

/** Handles a refused frame: retries it, stops driving or sending positions, or reports the refusal. */
export function onRefused(context: Context, frame: Refused) {
  const { driving, subscriptions } = context
  if (isRetryable(frame.code)) return retryLater(context, frame)
  if (frame.code === 'data-link-off') return stopUntilSnapshot(driving)
  // The server unsubscribes a removed driver from the session's room.
  if (frame.re === 'drive' || (frame.re === 'subscribe' && frame.room === driving.room))
    driving.refuse(frame.code)
  // The session's end has its own event, so a fix refused for it is not worth reporting.
  if (frame.re === 'fix' && frame.code !== 'session-ended') report(context, frame)
  if (frame.re === 'receipt') {
    driving.receipts.refuse(frame.code, frame.receipt)
    report(context, frame)
  }
  // The answers and the shown flags of the driver follow the room of the session.
  if ((frame.re === 'answer' || frame.re === 'flag-shown') && driving.room !== null)
    subscriptions.deliver(driving.room, frame)
}

/** Retries only the refused frame. Fixes are not retried, since a newer one follows; nor are test flashes. */
function retryLater({ driving, subscriptions, retries }: Context, frame: Refused) {
  const { re, room, receipt, retryAfterSeconds } = frame
  const repeat = (kind: string, act: () => void) => retries.schedule(kind, retryAfterSeconds, act)
  if (re === 'drive') repeat(re, () => driving.retryDrive())
  if (re === 'phone') repeat(re, () => driving.sendPhone())
  if (re === 'receipt' && receipt) {
    driving.receipts.postpone(receipt)
    repeat(re, () => driving.receipts.retry())
  }
  if (re === 'subscribe' && room !== undefined)
    repeat(`subscribe ${room}`, () => subscriptions.refresh(room))
}

/** Stops until a snapshot shows whether the data link is on again: its notice was lost, or is still to come. */
function stopUntilSnapshot(driving: Driving) {
  const { room } = driving
  if (room && driving.setDataLink(room.slice('session:'.length), false)) driving.requestDrive()
}

function report(context: Context, { re, code }: Refused) {
  context.report(`The server refused a ${re}: ${code}`)
}
