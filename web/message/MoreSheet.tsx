import { isYellowMessage } from '#contract/shared/lapKinds.ts'
import { code60, isAskable } from '#contract/shared/messageTypes.ts'
import { answersText } from '#web/text/answers.ts'
import { messageText } from '#web/text/message.ts'
import { teamAnswersText } from '#web/text/teamAnswers.ts'
import { wordsText } from '#web/text/words.ts'
import { Button } from '#web/ui/Button.tsx'
import { FittedPlate } from '#web/ui/board/FittedPlate.tsx'
import { type Coloured, toneOf } from '#web/ui/board/tone.ts'
import { DialogChoices, FormDialog } from '#web/ui/Dialog.tsx'
import { LinkButton } from '#web/ui/LinkButton.tsx'
import { NotLoaded } from '#web/ui/NotLoaded.tsx'
import { fromWall } from '#web/ui/useCameFrom.ts'
import { AllKey } from './AllKey.tsx'
import styles from './MoreSheet.module.css'
import { RefuelKey } from './RefuelKey.tsx'
import { SayTo } from './SayTo.tsx'
import type { Asking } from './useAsking.ts'
import type { useWords } from './useWords.ts'

interface Props {
  teamId: string
  /** The session of the phone in the car. */
  sessionId: string
  /** The car; undefined for a session without one. */
  car?: string | undefined
  open: boolean
  words: ReturnType<typeof useWords>
  /** The message on the board; null while loading. */
  current: Coloured | null
  disabled: boolean
  asking: Asking
  onPress: (message: Coloured, ask: boolean) => void
  /** Opens the fuel entry in place of this sheet; absent on the wall. */
  onRefuel?: () => void
  /** Opens the orders to all cars in place of this sheet; absent on the wall, which has a key for them. */
  onAll?: () => void
  onClose: () => void
}

/** The words of the team, and Code 60, as plates. Its first focus is on no plate: Enter must not send one. */
export function MoreSheet(props: Props) {
  const { teamId, sessionId, car, open, words, current, disabled, asking, onPress } = props
  const { onRefuel, onAll, onClose } = props
  const title = car === undefined ? wordsText.moreTitle : wordsText.moreTo(car)
  const own = words.data?.map(({ id, text, colour }) => ({ key: id, type: text, colour })) ?? []
  const from = onAll ? sessionId : fromWall
  const hasNone = words.data?.length === 0
  const plates = [...own, { key: code60, type: code60 }]
  return (
    <FormDialog open={open} title={title} onClose={onClose}>
      <div className={styles.parts} data-scrolls data-wide>
        <SayTo sessionId={sessionId} />
        {onAll && <AllKey teamId={teamId} sessionId={sessionId} onPress={onAll} />}
        {onRefuel && <RefuelKey sessionId={sessionId} onPress={onRefuel} />}
        {!words.data && <NotLoaded query={words} failed={wordsText.failed} />}
        <fieldset className={styles.plates} aria-label={title}>
          {plates.map(({ key, ...message }) => {
            const word = messageText.plate(message.type)
            const asks = asking.isOn && isAskable(message.type)
            return (
              <FittedPlate
                key={key}
                tone={toneOf(message) ?? ''}
                pressed={message.type === current?.type && colourOf(message) === current.colour}
                disabled={disabled}
                {...(isYellowMessage(message.type) && { note: messageText.teamInformation })}
                onPress={() => {
                  onPress(message, asks)
                  onClose()
                }}
              >
                {asks ? answersText.question(word) : word}
              </FittedPlate>
            )
          })}
        </fieldset>
        {hasNone && <p className={styles.none}>{wordsText.none}</p>}
        <div className={styles.settings}>
          <LinkButton
            variant="quiet"
            to={`/teams/${teamId}/${sessionId}/laps?from=${from}#data-link`}
          >
            {wordsText.settings}
          </LinkButton>
        </div>
      </div>
      <DialogChoices>
        <Button
          variant={asking.isOn ? 'primary' : 'quiet'}
          disabled={disabled}
          aria-pressed={asking.isOn}
          onClick={asking.toggle}
        >
          {teamAnswersText.ask}
        </Button>
        {hasNone && (
          <LinkButton variant="quiet" to={`/teams/${teamId}/words?from=${from}`}>
            {wordsText.addWords}
          </LinkButton>
        )}
        <Button variant="quiet" data-first onClick={onClose}>
          {wordsText.cancel}
        </Button>
      </DialogChoices>
    </FormDialog>
  )
}

function colourOf({ colour }: Coloured) {
  return colour
}
