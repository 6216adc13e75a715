import { useDataLink } from '#web/race/useDataLink.ts'
import { dataLinkText } from '#web/text/dataLink.ts'

interface Props {
  sessionId: string
  className?: string | undefined
}

/** The way back, where a data link that is off is noticed. */
export function SwitchLinkOn({ sessionId, className }: Props) {
  const change = useDataLink(sessionId)
  return (
    <button
      type="button"
      className={className}
      disabled={change.isPending}
      onClick={() => change.mutate(true)}
    >
      {dataLinkText.on}
    </button>
  )
}
