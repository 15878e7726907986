// The raw data as a file.
{
  const button = document.getElementById("download");
  button?.addEventListener("click", async () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([await packed.readCsv()], { type: "text/csv" }));
    link.download = "hashbench.csv";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  });
}
