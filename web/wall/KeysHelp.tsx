import {
  driverLetter,
  gotItLetter,
  letterOf,
  litresLetter,
  moreLetter,
  plates,
} from '#web/message/letters.ts'
import { fuelText } from '#web/text/fuel.ts'
import { messageText } from '#web/text/message.ts'
import { problemText } from '#web/text/problem.ts'
import { timingText } from '#web/text/timing.ts'
import { wallText } from '#web/text/wall.ts'
import { wordsText } from '#web/text/words.ts'
import { handLetters } from '#web/timing/handLetters.ts'
import { InfoDialog } from '#web/ui/Dialog.tsx'
import styles from './KeysHelp.module.css'

interface Props {
  open: boolean
  onClose: () => void
}

/** Lists the keyboard shortcuts of the wall. */
export function KeysHelp({ open, onClose }: Props) {
  return (
    <InfoDialog open={open} title={wallText.help} onClose={onClose}>
      <dl className={styles.keys}>
        <Shortcut keys={['1', '9']} isRange isWide text={wallText.choosesCar} />
        <Shortcut keys={['0']} isWide text={wallText.choosesAll} />
        <Shortcut keys={[wallText.up, wallText.down]} isWide text={wallText.stepsCar} />
        {plates.map(type => (
          <Shortcut
            key={type}
            keys={type === 'Abort' ? [wallText.shift, letterOf(type)] : [letterOf(type)]}
            text={
              type === 'Abort' ? wallText.orTwice(messageText.plate(type)) : messageText.plate(type)
            }
          />
        ))}
        <Shortcut keys={[gotItLetter]} text={problemText.gotIt} />
        <Shortcut keys={[driverLetter]} text={wallText.driver} />
        <Shortcut keys={[litresLetter]} text={fuelText.amount} />
        {(['position', 'gap', 'flag', 'laps'] as const).map(field => (
          <Shortcut key={field} keys={[handLetters[field]]} text={timingText.byHandOf[field]} />
        ))}
        <Shortcut keys={[wallText.shift]} isWide text={wallText.asks} />
        <Shortcut keys={[wallText.shift, moreLetter]} isWide text={wordsText.moreTitle} />
        <Shortcut keys={['?']} text={wallText.opensHelp} />
      </dl>
    </InfoDialog>
  )
}

interface ShortcutProps {
  keys: readonly string[]
  isRange?: boolean
  isWide?: boolean
  text: string
}

function Shortcut({ keys, isRange = false, isWide = false, text }: ShortcutProps) {
  return (
    <div data-wide={isWide || undefined}>
      <dt>
        {keys.map((key, index) => (
          <span key={key}>
            {index > 0 && (isRange ? ` ${wallText.to} ` : ' ')}
            <kbd>{key}</kbd>
          </span>
        ))}
      </dt>
      <dd>{text}</dd>
    </div>
  )
}
