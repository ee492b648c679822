// The component packages of MJML have no types: each exports one component, which only MJML uses.
declare module 'mjml-*' {
  const component: { default: unknown }
  export = component
}
