declare module 'virtual:titles/*' {
  const titles: Record<string, Record<string, unknown>>
  export default titles
}
