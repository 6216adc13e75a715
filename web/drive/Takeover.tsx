import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import type { StoredCarRace } from '#contract/carRaces.ts'
import { isSafetyOrder } from '#contract/shared/messageTypes.ts'
import { carRaceOf } from '#racing/race/carRace.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { useAnswers } from '#web/live/useAnswers.ts'
import { useLiveSession } from '#web/live/useSession.ts'
import { noAnswers } from '#web/message/carAnswers.ts'
import { deliveryOf } from '#web/message/delivery.ts'
import { carRaceQuery } from '#web/race/carRaceQuery.ts'
import { phoneLabel } from '#web/race/phoneLabel.ts'
import { hoursAndMinutes } from '#web/race/timeOfDay.ts'
import { usePhoneInCar } from '#web/race/usePhoneInCar.ts'
import { useServerNow } from '#web/race/useServerNow.ts'
import { useSizeOnGlass } from '#web/race/useSizeOnGlass.ts'
import { answersText } from '#web/text/answers.ts'
import { takeoverText as text } from '#web/text/takeover.ts'
import { toneOf } from '#web/ui/board/tone.ts'
import tones from '#web/ui/board/tones.module.css'
import styles from './Takeover.module.css'
import type { OtherPhone } from './useOtherPhone.ts'
import type { TakeoverState } from './useTakeover.ts'

interface Props {
  sessionId: string
  /** Null while this phone is in the car, or is free to wait. */
  other: OtherPhone | null
  onWait: () => void
}

/** Says that another phone is in the car, and lets the driver take over with this one. */
export function Takeover({ sessionId, other, onWait }: Props) {
  const decide = usePhoneInCar({ isQuiet: true })
  const car = other?.race.car?.number ?? ''
  const take = { disabled: decide.isPending, onClick: () => decide.mutate(sessionId) }
  // Always rendered: screen readers announce only changes of a live region that exists already.
  return (
    <div aria-live="polite">
      {other && (
        <section className={styles.takeover} data-no-tap="" data-takeover="">
          <b className={styles.car}>{car}</b>
          <Words car={car} {...other} />
          {decide.error && (
            <p className={styles.failed}>{text.failed(refusalText(decide.error))}</p>
          )}
          <div className={styles.choices} data-two={!other.isAfterThis || undefined}>
            {other.isAfterThis ? (
              <button type="button" {...take}>
                {text.iAmIn(car)}
              </button>
            ) : (
              <>
                <button type="button" data-first="" onClick={onWait}>
                  {text.whenLeaving}
                </button>
                <button type="button" {...take}>
                  {text.now}
                </button>
              </>
            )}
          </div>
        </section>
      )}
    </div>
  )
}

interface OwnPhone extends Pick<TakeoverState, 'chosenAt' | 'drives' | 'forget'> {
  /** The session of this phone. */
  own: string
}

/** Says on the lap board that orders go to another phone, until this one takes over, and which one is on that phone. */
export function Waiting({ other, ...own }: OwnPhone & { other: OtherPhone | null }) {
  return <output>{other && <WaitingPlate {...other} {...own} />}</output>
}

function WaitingPlate({ race, sessionId, ...own }: OtherPhone & OwnPhone) {
  const message = useLiveSession(sessionId, ({ session }) => session?.message ?? null)
  const [answers = noAnswers] = useAnswers([sessionId])
  const size = useSizeOnGlass(message, answers, carRaceOf(race).visits)
  const now = useServerNow(1000)
  useTakingOver(race, own, now)
  const phone = phoneLabel(race.phones, sessionId)
  const order = message?.type ?? null
  const isOn = order !== null && (size === 'full' || isSafetyOrder(order))
  const isExpired = message !== null && deliveryOf(message, null, now).stage === 'expired'
  const type = isOn && !isExpired ? order : null
  return (
    <span className={styles.waiting} data-plate="waiting">
      <span>
        <b>{text.waits}</b>
        {text.ordersOn(phone)}
      </span>
      {type !== null && (
        <b className={tones.toned} data-tone={(message && toneOf(message)) ?? undefined}>
          {message?.ask ? answersText.question(type) : type}
        </b>
      )}
    </span>
  )
}

/** The server finds within this time after the pit exit that only one of two phones drives. */
const foundMs = 10_000

/**
 * Takes over where the driver chose it and this phone has left the pits, if the other one drives as well: both may be in
 * the same car.
 */
function useTakingOver(
  { phones }: StoredCarRace,
  { own, chosenAt, drives, forget }: OwnPhone,
  now: number,
) {
  const isChosen = chosenAt !== null
  // No event says that a phone that is not in the car left the pits.
  useQuery({ ...carRaceQuery(own), enabled: isChosen && drives, refetchInterval: foundMs })
  const decide = usePhoneInCar()
  const leftAt = phones.find(({ sessionId }) => sessionId === own)?.leftPitsAt.at(-1) ?? 0
  // Again after each such time, for a phone without a network.
  const attempt = isChosen && leftAt > chosenAt ? Math.floor((now - leftAt) / foundMs) : 0
  const take = useEffectEvent(() => {
    // A failure is shown, and the next attempt follows.
    if (!decide.isPending) decide.mutateAsync(own).then(forget, () => {})
  })
  useEffect(() => {
    if (attempt > 0) take()
  }, [attempt])
}

function Words({ car, race, sessionId, from, until, isAfterThis }: OtherPhone & { car: string }) {
  const phone = phoneLabel(race.phones, sessionId)
  const [title, more] = !isAfterThis
    ? [text.drivenBy(car, phone), text.yours]
    : until === null
      ? [text.inCar(phone), text.since(hoursAndMinutes(from))]
      : [text.wasInCar(phone), text.until(hoursAndMinutes(until))]
  return (
    <>
      <p className={styles.title}>{title}</p>
      <p className={styles.more}>{more}</p>
    </>
  )
}
