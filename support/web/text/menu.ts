import { part } from '#web/text/text.ts'

/** Texts of the add-on in the app's own menus. */
export const menuText = part('supportMenu', {
  desk: 'Support desk',
})

declare module '#web/text/text.ts' {
  interface Text {
    readonly supportMenu: typeof menuText
  }
}
