import type { MessageType } from '#contract/messages.ts'
import { appText } from '#web/text/app.ts'
import { messageText } from '#web/text/message.ts'
import { wallText } from '#web/text/team/wall.ts'
import { Button } from '#web/ui/buttons/Button.tsx'
import { FormDialog } from '#web/ui/overlays/Dialog.tsx'
import styles from './KeysHelp.module.css'
import { letterOf } from './wallKeys.ts'

interface Props {
  open: boolean
  plates: readonly (MessageType | null)[]
  onClose: () => void
}

/** Lists the keyboard shortcuts of the wall. */
export function KeysHelp({ open, plates, onClose }: Props) {
  return (
    <FormDialog open={open} title={wallText.help} onClose={onClose}>
      <dl className={styles.keys}>
        <Shortcut keys={['1', '9']} range text={wallText.choosesCar} />
        <Shortcut keys={[wallText.up, wallText.down]} text={wallText.stepsCar} />
        {plates.map(type => (
          <Shortcut key={type} keys={[letterOf(type)]} text={messageText.plate(type)} />
        ))}
        <Shortcut keys={[wallText.shift]} text={wallText.asks} />
        <Shortcut keys={['?']} text={wallText.opensHelp} />
      </dl>
      <Button variant="quiet" onClick={onClose}>
        {appText.close}
      </Button>
    </FormDialog>
  )
}

interface ShortcutProps {
  keys: readonly string[]
  range?: boolean
  text: string
}

function Shortcut({ keys, range = false, text }: ShortcutProps) {
  return (
    <div>
      <dt>
        {keys.map((key, index) => (
          <span key={key}>
            {range && index > 0 && ` ${wallText.to} `}
            <kbd>{key}</kbd>
          </span>
        ))}
      </dt>
      <dd>{text}</dd>
    </div>
  )
}
