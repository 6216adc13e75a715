import { useQuery } from '@tanstack/react-query'
import type { MessageType } from '#contract/messages.ts'
import type { Session } from '#contract/sessions.ts'
import { isYellowMessage } from '#contract/shared/lapKinds.ts'
import { activeSessionsQuery } from '#web/api/teamQueries.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'
import { useSecond } from '#web/live/useSecond.ts'
import { useLiveSession } from '#web/live/useSession.ts'
import { useRoster } from '#web/race/rosterQuery.ts'
import { appText } from '#web/text/app.ts'
import { dataLinkText } from '#web/text/dataLink.ts'
import { messageText } from '#web/text/message.ts'
import { wallText } from '#web/text/wall.ts'
import { Button } from '#web/ui/Button.tsx'
import { FittedPlate } from '#web/ui/board/FittedPlate.tsx'
import { toneOf } from '#web/ui/board/tone.ts'
import { CarPlate } from '#web/ui/CarPlate.tsx'
import { DialogChoices, FormDialog } from '#web/ui/Dialog.tsx'
import styles from './AllCars.module.css'
import { allOrder, allReceipt } from './allOrder.ts'
import { type Delivery, deliveryOf } from './delivery.ts'
import { type DeliveryLine, deliveryLine } from './deliveryLine.ts'
import { laneName } from './laneName.ts'
import type { Lane } from './lanes.ts'
import { letterOf } from './letters.ts'
import sheet from './MoreSheet.module.css'
import { pressesOf } from './presses.ts'
import { useCarLanes } from './useCarLanes.ts'
import { useLetters } from './useLetters.ts'
import { useSendMessage } from './useSendMessage.ts'
import { ofAll, useSendToAll } from './useSendToAll.ts'
import { vibratePress } from './vibratePress.ts'

interface Props {
  teamId: string
  onClose: () => void
}

/**
 * The orders that all cars can get at once, the delivery to each car, and on how many screens the order is. Stays open
 * after a press: CLEAR and the next order are within reach, and no press that was meant for it goes to the pad below.
 */
export function AllCars({ teamId, onClose }: Props) {
  useSecond()
  const channel = useChannel()
  const { data: sessions } = useQuery(activeSessionsQuery(teamId))
  const { lanes, isReady } = useCarLanes(sessions, useRoster(teamId))
  const order = allOrder(lanes, ({ id }) => channel.session(id).session, channel.clock.now())
  const failures = lanes.flatMap(({ session }) => {
    const presses = pressesOf(channel, session.id)
    const { failed } = presses.state
    if (!failed) return []
    const again = () => presses.press(failed.press, failed.afterVersion)
    return [{ ...failed, again, plate: laneName(session).plate }]
  })
  const [failure] = failures
  return (
    <FormDialog title={wallText.sendToAll(isReady ? lanes.length : null)} onClose={onClose}>
      <div className={styles.all} data-scrolls data-wide>
        <Orders lanes={lanes} current={order?.type ?? null} disabled={!isReady} />
        <ul className={styles.cars} aria-label={wallText.lanes}>
          {lanes.map(({ id, session }) => (
            <CarLine key={id} listed={session} />
          ))}
        </ul>
      </div>
      <div>
        <output className={styles.receipt} data-level={failure && 'bad'}>
          {failure
            ? messageText.announcement(
                messageText.plate(failure.press.type),
                `${wallText.notSentTo(failures.map(({ plate }) => plate))}. ${failure.why}`,
              )
            : order && messageText.announcement(messageText.plate(order.type), allReceipt(order))}
        </output>
        <DialogChoices>
          {failure && (
            <Button onClick={() => failures.forEach(({ again }) => again())}>
              {appText.tryAgain}
            </Button>
          )}
          <Button variant="quiet" data-first onClick={onClose}>
            {appText.close}
          </Button>
        </DialogChoices>
      </div>
    </FormDialog>
  )
}

interface OrdersProps {
  lanes: readonly Lane[]
  /** The order that all cars have. */
  current: MessageType | null
  disabled: boolean
}

/** The plates. ABORT is sent by its second press, as by its letter. */
function Orders({ lanes, current, disabled }: OrdersProps) {
  const toAll = useSendToAll(lanes)
  const send = (type: MessageType | null) => {
    vibratePress()
    toAll(type)
  }
  const letters = useLetters({ target: 'all', disabled, onSend: send, onMore: () => undefined })
  return (
    <fieldset className={sheet.plates} aria-label={messageText.pad}>
      {ofAll.map(type => {
        const word = messageText.plate(type)
        return (
          <FittedPlate
            key={word}
            tone={toneOf({ type }) ?? ''}
            pressed={type !== null && type === current}
            disabled={disabled}
            {...(isYellowMessage(type) && { note: messageText.teamInformation })}
            onPress={() => (type === 'Abort' ? letters.press(letterOf(type), false) : send(type))}
          >
            {type === 'Abort' && letters.isArmed ? messageText.again(word) : word}
          </FittedPlate>
        )
      })}
    </fieldset>
  )
}

/** The message of a car and its delivery, always of the same height: the plates must not move under a finger. */
function CarLine({ listed }: { listed: Session }) {
  const { clock } = useChannel()
  const session = useLiveSession(listed.id, state => state.session) ?? listed
  const { message, dataLink } = session
  const { pending, failed } = useSendMessage(session.id, message)
  const delivery = deliveryOf(message, pending, clock.now())
  const hasWord = !failed && dataLink && delivery.stage !== 'none'
  const line = failed
    ? bad(wallText.notSent(messageText.plate(failed.press.type)))
    : dataLink
      ? lineOf(delivery)
      : bad(dataLinkText.isOff)
  return (
    <li data-level={line.level}>
      <CarPlate number={laneName(session).plate} />
      {hasWord && <b>{messageText.plate((pending ?? message).type)}</b>}
      <p>{line.text}</p>
      {line.age !== undefined && <small>{line.age}</small>}
    </li>
  )
}

type Line = Pick<DeliveryLine, 'text' | 'level' | 'age'>

function lineOf(delivery: Delivery): Line {
  return delivery.stage === 'none'
    ? { text: wallText.noMessage, level: 'plain' }
    : deliveryLine(delivery)
}

function bad(text: string): Line {
  return { text, level: 'bad' }
}
