import { WifiOff } from 'lucide-react'
import { useState } from 'react'
import { glassState } from '#client/driver/glassState.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'
import { useLost } from '#web/live/useLost.ts'
import { useSecond } from '#web/live/useSecond.ts'
import { type AllOrder, allOrder, allReceipt } from '#web/message/allOrder.ts'
import { timeOfDay } from '#web/race/timeOfDay.ts'
import { glassText } from '#web/text/glass.ts'
import { messageText } from '#web/text/message.ts'
import { wallText } from '#web/text/wall.ts'
import { flagReceipt } from '#web/timing/flagReceipt.ts'
import { OfficialFlag } from '#web/timing/OfficialFlag.tsx'
import { useOfficialTiming } from '#web/timing/useOfficialTiming.ts'
import { ageText, counterText } from '#web/ui/ages.ts'
import { toneOf } from '#web/ui/board/tone.ts'
import tones from '#web/ui/board/tones.module.css'
import type { CarLane } from './useLanes.ts'
import { raceOnWall } from './WallClock.tsx'
import styles from './WallState.module.css'

/**
 * The state of the whole wall, in a fixed place, so that nothing moves: that this device is offline, else the official
 * flag of the race, else the order that all cars have. In the first two cases the order is a chip.
 */
export function WallState({ lanes }: { lanes: readonly CarLane[] }) {
  useSecond()
  const channel = useChannel()
  const isLost = useLost()
  const now = channel.clock.now()
  const order = allOrder(lanes, ({ id }) => channel.session(id).session, now)
  const raceId = raceOnWall(lanes)?.race?.id
  const timed = lanes.find(({ race }) => race?.officialTiming && race.race?.id === raceId)
  const flag = useOfficialTiming(timed?.race)
  return (
    <div className={styles.state} aria-live="polite" data-offline={isLost || undefined}>
      {isLost ? (
        <Offline now={now} />
      ) : flag?.hasFlag ? (
        <OfficialFlag
          state={flag}
          size="wall"
          note={source => <CarsShown {...{ lanes, source }} />}
        />
      ) : (
        order && <Order order={order} now={now} />
      )}
      {(isLost || flag?.hasFlag) && order && (
        <span className={`${styles.chip} ${tones.toned}`} data-tone={toneOf(order) ?? undefined}>
          {messageText.plate(order.type)}
          {order.shown < order.count && <small>{wallText.shownOf(order.shown, order.count)}</small>}
        </span>
      )}
    </div>
  )
}

/** The source of the flag, and how many of the cars whose glass shows the flag have shown it. */
function CarsShown({ lanes, source }: { lanes: readonly CarLane[]; source: string }) {
  const channel = useChannel()
  const { clock } = channel
  const now = clock.isSynchronized ? clock.now() : null
  const receipts = lanes.flatMap(({ session: { id }, race }) => {
    const live = channel.session(id)
    const state = glassState(live.official, race, now)
    return state.flag === undefined ? [] : [flagReceipt(state, live, now ?? 0)]
  })
  // Without a current flag there is nothing to show.
  if (receipts.every(each => each === null)) return source
  const shown = receipts.filter(each => each !== null && each.tookMs !== null).length
  return glassText.carsShown(source, shown, receipts.length)
}

/** Shown from the moment at which the connection was lost. */
function Offline({ now }: { now: number }) {
  const [since] = useState(now)
  return (
    <>
      <WifiOff aria-hidden />
      <span className={styles.text}>
        <b>
          {wallText.offlineWall} <span aria-hidden>{counterText(now - since)}</span>
        </b>
        <span>{wallText.figuresFrom(timeOfDay(since))}</span>
      </span>
    </>
  )
}

function Order({ order, now }: { order: AllOrder; now: number }) {
  const { type, sentAt, shown, count } = order
  return (
    <span className={`${styles.order} ${tones.toned}`} data-tone={toneOf(order) ?? undefined}>
      <b className={styles.word} data-hollow={shown < count}>
        {messageText.plate(type)}
      </b>
      <span className={styles.text}>
        <b>
          {wallText.allCars(count)},{' '}
          <span aria-hidden>{messageText.ago(ageText(now - sentAt))}</span>
        </b>
        <span>{allReceipt(order)}</span>
      </span>
    </span>
  )
}
