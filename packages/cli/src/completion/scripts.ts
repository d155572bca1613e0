/** What a shell runs to complete the words after `waybill`: each asks `waybill completion words` how the line may go on. */
export const SCRIPTS = {
  bash: `_waybill() {
  local IFS=$'\\n'
  local current=\${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=($("\${COMP_WORDS[0]}" completion words --current "$current" -- "\${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null))
}
complete -o default -F _waybill waybill`,
  zsh: `#compdef waybill
_waybill() {
  local -a found
  found=("\${(@f)$("\${words[1]}" completion words --current "\${words[CURRENT]}" -- "\${(@)words[2,CURRENT-1]}" 2>/dev/null)}")
  compadd -a found
}
compdef _waybill waybill`,
  fish: `function __waybill_words
  set -l typed (commandline -opc)
  waybill completion words --current (commandline -ct) -- $typed[2..-1] 2>/dev/null
end
complete -c waybill -f -a '(__waybill_words)'`,
} as const;
