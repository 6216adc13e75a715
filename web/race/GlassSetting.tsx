import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { StoredCarRace } from '#contract/carRaces.ts'
import { type GlassPart, glassParts } from '#contract/shared/glassParts.ts'
import { command } from '#web/api/call.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { glassText } from '#web/text/glass.ts'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { DialogError } from '#web/ui/Dialog.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { carRaceQuery } from './carRaceQuery.ts'

interface Props {
  sessionId: string
  race: Pick<StoredCarRace, 'glass' | 'officialTiming'>
}

/** The parts of official timing that the driver's screen shows. */
export function GlassSetting({ sessionId, race: { glass = [], officialTiming } }: Props) {
  const client = useQueryClient()
  const set = useMutation({
    mutationFn: (parts: readonly GlassPart[]) =>
      command('glass.set', { sessionId, parts: [...parts] }),
    onSuccess: () => client.invalidateQueries({ queryKey: carRaceQuery(sessionId).queryKey }),
  })
  const shown: readonly GlassPart[] = set.isPending ? set.variables : glass
  return (
    <section>
      <h2 className={typography.h2}>{glassText.title}</h2>
      <p className={typography.sub}>
        {officialTiming ? glassText.hint : `${glassText.noSource} ${glassText.hint}`}
      </p>
      {glassParts.map(part => (
        <Checkbox
          key={part}
          label={glassText.parts[part]}
          {...(part === 'flag' && { hint: glassText.warning })}
          checked={shown.includes(part)}
          disabled={set.isPending}
          onChange={({ target }) =>
            set.mutate(target.checked ? [...glass, part] : glass.filter(each => each !== part))
          }
        />
      ))}
      {set.error && <DialogError>{refusalText(set.error)}</DialogError>}
    </section>
  )
}
