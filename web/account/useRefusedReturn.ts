import { useEffect, useEffectEvent } from 'react'
import { useSearchParams } from 'react-router'
import { sentenceOf } from '#web/api/refusalText.ts'
import { appText } from '#web/text/app.ts'
import { useToasts } from '#web/ui/toasts.ts'

/**
 * Handles a refused external sign-in (`?refused=code`): shows the reason once and removes it from the
 * URL.
 */
export function useRefusedReturn() {
  const toasts = useToasts()
  const [search, setSearch] = useSearchParams()
  const code = search.get('refused')
  const showRefusal = useEffectEvent((refused: string) => {
    toasts.error(appText.error, sentenceOf(refused), 'sign-in')
    const rest = new URLSearchParams(search)
    rest.delete('refused')
    setSearch(rest, { replace: true })
  })
  useEffect(() => {
    if (code !== null) showRefusal(code)
  }, [code])
}
