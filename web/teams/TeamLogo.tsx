import { useState } from 'react'
import { logoName } from '#contract/shared/fileRules.ts'
import type { Team } from '#contract/teams.ts'
import { logoUrl } from '#web/api/pictures.ts'
import { membersText } from '#web/text/members.ts'
import { ActionButton } from '#web/ui/ActionCard.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { ThreeLetterPlate } from '#web/ui/ThreeLetterPlate.tsx'
import { PictureDialog } from './PictureDialog.tsx'

/** Placeholder of the same size while the team is loading. */
export function WaitingTeamLogo() {
  return (
    <ActionButton icon={<Skeleton widthPx={52} heightPx={40} />} lead={membersText.logo}>
      {membersText.logoText}
    </ActionButton>
  )
}

/** The team's logo. Every member can change it. */
export function TeamLogo({ team }: { team: Team }) {
  const [open, setOpen] = useState(false)
  const logo = logoUrl(team)
  return (
    <>
      <ActionButton
        icon={<ThreeLetterPlate name={team.name} picture={logo} />}
        lead={membersText.logo}
        onAct={() => setOpen(true)}
      >
        {membersText.logoText}
      </ActionButton>
      {open && (
        <PictureDialog
          title={membersText.logo}
          text={membersText.logoShown}
          file={{ teamId: team.id, name: logoName }}
          plate={{ name: team.name }}
          current={logo}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
