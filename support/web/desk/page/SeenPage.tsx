import { MousePointer2, Pencil } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { deskText } from '#support/web/text/desk.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import typography from '#web/ui/theme/typography.module.css'
import type { VisitConnection } from '../visit/visitConnection.ts'
import { PageView } from './PageView.tsx'
import styles from './SeenPage.module.css'
import type { Tool } from './usePointing.ts'

interface Props {
  connection: VisitConnection
  /** The person allows the page to be seen. */
  seen: boolean
  name: string
  tools: readonly Tool[]
  tool: Tool | null
  onTool: (tool: Tool) => void
}

/** The person's page, with the agent's tools. */
export function SeenPage({ connection, seen, name, tools, tool, onTool }: Props) {
  if (!seen) return <p className={styles.none}>{deskText.viewNone}</p>
  return (
    <div className={styles.seen}>
      {tools.length > 0 && (
        <fieldset className={styles.tools}>
          <legend className={typography.hidden}>{deskText.tools}</legend>
          {tools.map(each => {
            const Icon = icons[each]
            return (
              <Button
                key={each}
                variant={each === tool ? 'primary' : 'quiet'}
                narrow
                aria-pressed={each === tool}
                onClick={() => onTool(each)}
              >
                <Icon aria-hidden />
                {deskText[each]}
              </Button>
            )
          })}
        </fieldset>
      )}
      <PageView connection={connection} name={name} tool={tool} />
      {tools.includes('use') && <WriteForm connection={connection} />}
    </div>
  )
}

const icons = { use: MousePointer2, draw: Pencil } as const

/** Field contents are masked, so the agent replaces the whole text. */
function WriteForm({ connection }: { connection: VisitConnection }) {
  const [text, setText] = useState('')
  function send(event: FormEvent) {
    event.preventDefault()
    connection.write(text)
    setText('')
  }
  return (
    <form className={styles.write} onSubmit={send}>
      <Field
        label={deskText.text}
        value={text}
        maxLength={10_000}
        onChange={event => setText(event.target.value)}
      />
      <Button type="submit" variant="quiet" narrow>
        {deskText.sendText}
      </Button>
    </form>
  )
}
