// Starts `lakecodec lsp` for IDL and Thrift files; all else is in the server.
const { workspace, window } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

async function activate() {
  const command = workspace.getConfiguration("lakecodec").get("command") || "lakecodec";
  const options = { documentSelector: [{ language: "lakecodec-idl" }] };
  client = new LanguageClient("lakecodec", "lakecodec", { command, args: ["lsp"] }, options);
  try {
    await client.start();
  } catch (error) {
    const remedy = "install it with: pip install 'lakecodec[lsp]', or set lakecodec.command";
    window.showErrorMessage(`lakecodec: the command ${command} could not be started (${error.message}); ${remedy}`);
  }
}

async function deactivate() {
  await client?.stop();
}

module.exports = { activate, deactivate };
