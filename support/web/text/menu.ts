/** Texts of the add-on in the app's own menus. */
export const menuText = {
  desk: 'Support desk',
}
