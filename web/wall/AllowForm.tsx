import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { maxNameLetters } from '#contract/shared/bounds.ts'
import type { Team } from '#contract/teams.ts'
import type { WaitingTelevision } from '#contract/televisions.ts'
import { command } from '#web/api/call.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { televisionsText } from '#web/text/televisions.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'
import { required } from '#web/ui/required.ts'
import { SkeletonRows } from '#web/ui/Skeleton.tsx'
import { Stack } from '#web/ui/Wrap.tsx'
import styles from './Pairing.module.css'

/** A television that was connected. */
export interface Allowed {
  readonly name: string
  readonly team: Team
}

interface Props {
  television: WaitingTelevision
  /** The teams that the member may change; undefined while loading. */
  teams: readonly Team[] | undefined
  /** The id of a team to choose at first. */
  preferred: string | null
  onAllowed: (allowed: Allowed) => void
  onCancel: () => void
}

/** Lists what a television may read, so that nobody connects the screen of a stranger who sent them a code. */
export function AllowForm({ television, teams, preferred, onAllowed, onCancel }: Props) {
  const { code, requestedAt, sameNetwork } = television
  const digits = `${code.slice(0, 3)} ${code.slice(3)}`
  if (!teams) return <SkeletonRows label={televisionsText.loading} detailPx={160} />
  return (
    <>
      <PageHead title={televisionsText.check} />
      <Stack>
        <div className={styles.check}>
          <p className={styles.shown}>{digits}</p>
          <p>
            <b>{televisionsText.checkText}</b>
          </p>
          <p>
            {televisionsText.requested(
              televisionsText.browser(television),
              time.format(requestedAt),
            )}
            . {sameNetwork ? televisionsText.sameNetwork : televisionsText.otherNetwork}
          </p>
        </div>
        <p>{televisionsText.rights}</p>
        {teams.length === 0 ? (
          <p>{televisionsText.noTeam}</p>
        ) : (
          <Choice {...{ code, teams, preferred, onAllowed }} />
        )}
        <Button variant="quiet" onClick={onCancel}>
          {televisionsText.cancel}
        </Button>
      </Stack>
    </>
  )
}

type ChoiceProps = { code: string; teams: readonly Team[] } & Pick<Props, 'preferred' | 'onAllowed'>

function Choice({ code, teams, preferred, onAllowed }: ChoiceProps) {
  const first = teams.find(({ id }) => id === preferred) ?? teams[0]
  const { register, handleSubmit, formState, setError } = useForm({
    defaultValues: { teamId: first?.id ?? '', name: televisionsText.nameExample },
  })
  const allow = useMutation({
    mutationFn: (chosen: { teamId: string; name: string }) =>
      command('televisions.allow', { ...chosen, code }),
    onSuccess: (_, { teamId, name }) => {
      const team = teams.find(({ id }) => id === teamId)
      if (team) onAllowed({ name, team })
    },
    onError: reason => setError('name', { message: refusalText(reason) }),
  })
  return (
    <form noValidate onSubmit={event => void handleSubmit(it => allow.mutate(it))(event)}>
      <Stack>
        <fieldset className={styles.choices}>
          <legend>{televisionsText.team}</legend>
          {teams.map(({ id, name }) => (
            <label key={id} className={styles.choice}>
              <input type="radio" value={id} {...register('teamId')} />
              {name}
            </label>
          ))}
        </fieldset>
        <Field
          {...register('name', required(televisionsText.nameMissing))}
          label={televisionsText.name}
          error={formState.errors.name?.message}
          maxLength={maxNameLetters}
        />
        <Button type="submit" busy={allow.isPending}>
          {televisionsText.allow}
        </Button>
      </Stack>
    </form>
  )
}

const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'short', hourCycle: 'h23' })
