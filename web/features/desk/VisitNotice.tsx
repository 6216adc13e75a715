import { deskText } from '#web/text/desk.ts'
import { Button } from '#web/ui/Button.tsx'
import typography from '#web/ui/typography.module.css'
import styles from './VisitNotice.module.css'
import type { VisitState } from './visitLine.ts'

interface Props {
  line: VisitState['line']
  there: boolean
  hidden: boolean
  onAgain: () => void
}

/** Why nothing can be asked at the moment, if so. */
export function VisitNotice({ line, there, hidden, onAgain }: Props) {
  if (line === 'lost') {
    return (
      <div role="alert" className={styles.notice} data-kind="error">
        <p className={typography.lead}>{deskText.lost}</p>
        <p>{deskText.lostText}</p>
        <Button look="quiet" narrow onClick={onAgain}>
          {deskText.connectAgain}
        </Button>
      </div>
    )
  }
  const words = wordsFor({ line, there, hidden })
  return (
    <output className={styles.notice} hidden={words === null}>
      {words && <span className={typography.lead}>{words[0]}</span>}
      {words?.[1] !== undefined && <span>{words[1]}</span>}
    </output>
  )
}

function wordsFor({ line, there, hidden }: Omit<Props, 'onAgain'>): [string, string?] | null {
  if (line === 'away' || !there) return [deskText.gone, deskText.goneText]
  if (line === 'opening') return [deskText.opening]
  return hidden ? [deskText.hiddenText] : null
}
